export { StackedDays, type DayPart } from './stacked-days';
