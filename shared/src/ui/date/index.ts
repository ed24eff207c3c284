/** Date pickers. Loaded on demand. Times are in UTC unless the settings say otherwise. */
export { default as DatePicker } from 'antd/es/date-picker';
export type { DatePickerProps } from 'antd/es/date-picker';
export type { RangePickerProps } from 'antd/es/date-picker';
