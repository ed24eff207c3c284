/** Date pickers. Loaded on demand. Times are in UTC unless the settings say otherwise. */
import AntDatePicker from 'antd/es/date-picker';
import { themed } from '../antd/themed';

export const DatePicker: typeof AntDatePicker = themed(AntDatePicker);
export type { DatePickerProps } from 'antd/es/date-picker';
export type { RangePickerProps } from 'antd/es/date-picker';
