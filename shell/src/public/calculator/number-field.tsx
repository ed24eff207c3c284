import { useFormat } from '@pool/shared/ui/core';
import { Field, Input } from '@pool/shared/ui/form';
import { useTranslation } from '@pool/shared/i18n';
import { useState, type ReactNode } from 'react';
import { readNumber } from './inputs';

type Props = {
  label: string;
  value: number;
  /** Unit after the number. */
  unit: ReactNode;
  /** Null: back to the default. */
  onChange(value: number | null): void;
};

/** Number with as many digits as tell it apart, without a power of ten. */
const textOf = (value: number): string =>
  value.toLocaleString('en', { useGrouping: false, maximumSignificantDigits: 12, maximumFractionDigits: 12 });

/** A number of the calculation: what is typed stays as typed, and counts as soon as it is a number. */
export function NumberField({ label, value, unit, onChange }: Props) {
  const { t } = useTranslation();
  const { local } = useFormat();
  /** What is being typed; null: the value is shown. */
  const [typed, setTyped] = useState<string | null>(null);
  const isWrong = typed !== null && typed.trim() !== '' && readNumber(typed) === null;
  return (
    <Field label={label} error={isWrong ? t('calculator.notNumber') : null}>
      {(wiring) => (
        <Input
          {...wiring}
          dir="ltr"
          inputMode="decimal"
          autoComplete="off"
          suffix={
            <bdi dir="ltr" aria-hidden>
              {unit}
            </bdi>
          }
          value={typed ?? local(textOf(value))}
          onChange={({ target }) => {
            setTyped(target.value);
            const next = readNumber(target.value);
            if (next !== null || target.value.trim() === '') onChange(next);
          }}
          onBlur={() => setTyped(null)}
        />
      )}
    </Field>
  );
}
