/** Form controls. Loaded on demand: import it only from lazily loaded code (a remote's page, a lazy dialog). */
export { default as Checkbox } from 'antd/es/checkbox';
export { default as Form } from 'antd/es/form';
export type { FormInstance, FormProps, Rule as FormRule } from 'antd/es/form';
export { default as Input } from 'antd/es/input';
export type { InputProps, InputRef } from 'antd/es/input';
export { default as InputNumber } from 'antd/es/input-number';
export type { InputNumberProps } from 'antd/es/input-number';
export { default as Radio } from 'antd/es/radio';
export { default as Select } from 'antd/es/select';
export type { SelectProps } from 'antd/es/select';
export { default as Slider } from 'antd/es/slider';
export { default as Switch } from 'antd/es/switch';
