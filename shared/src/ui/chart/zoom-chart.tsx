import type { Series } from '../../api/schemas';
import { SeriesChart } from '../core';
import type { Model } from '../core/chart/model';

/** `model` is not used any more. */
export const ZoomChart = ({ series, label }: { series: Series; model: Model; label: string }) => (
  <SeriesChart lane series={series} label={label} />
);
