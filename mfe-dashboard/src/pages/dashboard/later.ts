/** What the dashboard loads when its figures are there, in one request. */
export { Timeline } from '@pool/shared/ui/timeline';
export { FarmEvents } from '@pool/shared/ui/waiting';
export { AroundCard } from './around-card';
export { ChartActions } from './chart/tools/chart-actions';
export { ChartMarks } from './chart/tools/chart-marks';
export { Comparison } from './chart/tools/comparison';
export { Explanation } from './explain/explanation';
export { TroubleMenu } from './trouble-menu';
