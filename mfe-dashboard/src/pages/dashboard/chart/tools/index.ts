/** What the dashboard loads when its figures are there, in one request. */
export { ChartActions } from './chart-actions';
export { ChartMarks } from './chart-marks';
export { Dips } from './dips';
export { Comparison } from './comparison';
export { GroupFilter } from './group-filter';
