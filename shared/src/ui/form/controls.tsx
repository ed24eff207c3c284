import type { InputProps, InputRef } from 'antd/es/input';
import type { InputNumberProps } from 'antd/es/input-number';
import type { SelectProps } from 'antd/es/select';
import type { Ref } from 'react';
import { ALGORITHM_NAMES, ALGORITHMS, type AlgorithmName } from '../../domain/algorithms';
import { InputNumber, Select } from './antd';
import { Field, type Labelled } from './field';
import { Input } from './input';

type TextFieldProps = Omit<InputProps, 'onChange'> &
  Labelled & { isCode?: boolean; isSecret?: boolean; ref?: Ref<InputRef>; onChange(text: string): void };

/** `isCode`: an address or a name, not words: from left to right, and the browser neither corrects nor completes it. */
export function TextField({ label, hint, error, isCode, isSecret, onChange, ...input }: TextFieldProps) {
  const Control = isSecret ? Input.Password : Input;
  return (
    <Field label={label} hint={hint} error={error}>
      {(wiring) => (
        <Control
          {...(isCode && { dir: 'ltr', autoComplete: 'off', autoCapitalize: 'none', spellCheck: false })}
          {...wiring}
          {...input}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

/** `isWhole`: of a whole number, without arrows. */
export function NumberField({
  label,
  hint,
  error,
  isWhole,
  ...input
}: InputNumberProps<number> & Labelled & { isWhole?: boolean }) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(wiring) => (
        <InputNumber<number>
          dir="ltr"
          style={{ inlineSize: '100%' }}
          {...(isWhole && { precision: 0, controls: false })}
          {...wiring}
          {...input}
        />
      )}
    </Field>
  );
}

export function SelectField<Value>({ label, hint, error, ...select }: SelectProps<Value> & Labelled) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(wiring) => <Select<Value> {...wiring} {...select} />}
    </Field>
  );
}

export function AlgorithmField({
  algorithms = ALGORITHM_NAMES,
  ...select
}: Omit<SelectProps<AlgorithmName>, 'options'> & Labelled & { algorithms?: readonly AlgorithmName[] }) {
  return (
    <SelectField<AlgorithmName>
      {...select}
      options={algorithms.map((value) => ({ value, label: ALGORITHMS[value].label }))}
    />
  );
}
