import { useId, type ReactNode } from 'react';
import s from './segmented.module.css';

type Value = string | number | boolean;
type SegmentedProps<T extends Value> = {
  options: readonly { value: T; label: ReactNode }[];
  value: T;
  onChange(value: T): void;
  'aria-label': string;
  size?: 'small' | 'middle' | 'large';
  /** Whether it is as wide as its place. */
  block?: boolean;
  className?: string;
};

/** One of a few values that are all shown: radio buttons in a row. */
export function Segmented<T extends Value>({
  options,
  value,
  onChange,
  size = 'middle',
  block,
  className,
  'aria-label': label,
}: SegmentedProps<T>) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={[s.group, className].filter(Boolean).join(' ')}
      data-size={size}
      data-block={block}
    >
      {options.map((option) => (
        <label key={String(option.value)} className={s.item}>
          <input
            type="radio"
            name={name}
            className={s.input}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span className={s.label} title={typeof option.label === 'string' ? option.label : undefined}>
            {option.label}
          </span>
        </label>
      ))}
    </div>
  );
}
