/** Form controls. Loaded on demand: import it only from lazily loaded code (a remote's page, a lazy dialog). */
export { ActionButton } from './action-button';
export { Checkbox, Radio, Select, Switch } from './antd';
export { AlgorithmField, NumberField, SelectField, TextField } from './controls';
export { DayField } from './day-field';
export { asDecimal, satsOf } from './decimal';
export { Field, FieldGroup } from './field';
export { Form } from './form';
export { Input } from './input';
export { IfMayEdit, useMayEdit } from './may-edit';
export { Problem } from './problem';
export { SearchBox } from './search-box';
export { browserQuery, pushQuery, setBrowser, STOPPED } from './this-browser';
export { pageHeading, useFormMutation, type OnSuccess } from './use-form-mutation';
export type { InputRef } from 'antd/es/input';
