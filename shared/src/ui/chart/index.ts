export { BarChart } from './bar-chart';
export { StackedDays, type DayPart } from './stacked-days';
