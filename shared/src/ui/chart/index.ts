import { lazy } from 'react';

export type { DayPart } from './stacked-days';
/** Fetches the chart library (some 300 KB) when it is first shown. */
export const StackedDays = lazy(() => import('./stacked-days'));
