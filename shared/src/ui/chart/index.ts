import { lazy } from 'react';

/** Kept for remotes built against @pool/shared 1.1; later ones have no use for it: `SeriesChart` zooms by itself. */
export { ZoomChart } from './zoom-chart';
export type { DayPart } from './stacked-days';
/** Fetches the chart library (some 300 KB) when it is first shown. */
export const StackedDays = lazy(() => import('./stacked-days'));
