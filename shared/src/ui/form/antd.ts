/** antd's controls, with the theme. */
import AntCheckbox from 'antd/es/checkbox';
import AntInputNumber from 'antd/es/input-number';
import AntRadio from 'antd/es/radio';
import AntSelect from 'antd/es/select';
import AntSwitch from 'antd/es/switch';
import { themed } from '../antd/themed';
import './select.module.css';

export const Checkbox: typeof AntCheckbox = themed(AntCheckbox);
export const InputNumber: typeof AntInputNumber = themed(AntInputNumber);
export const Radio: typeof AntRadio = themed(AntRadio);
export const Select: typeof AntSelect = themed(AntSelect);
export const Switch: typeof AntSwitch = themed(AntSwitch);
