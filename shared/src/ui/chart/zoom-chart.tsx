import type { Series } from '../../api/schemas';
import { SeriesChart } from '../core';

/** `model` is not used any more. */
export const ZoomChart = ({ series, label }: { series: Series; model: unknown; label: string }) => (
  <SeriesChart lane series={series} label={label} />
);
