import { CalendarDays } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button, useFormat } from '../core';
import { useErrorCode } from '../core/error-text';
import styles from './day-field.module.css';
import { dayOfText, textOfDay } from './day-text';
import { Field } from './field';
import { Input } from './input';

/** A day (`2026-11-24`, empty: none), typed in the page's language or picked; a text outside the bounds stays. */
export function DayField({
  label,
  value,
  min,
  max,
  disabled,
  onChange,
}: {
  label: string;
  value: string;
  min?: string;
  max?: string;
  disabled?: boolean;
  onChange(day: string): void;
}) {
  const { language } = useFormat();
  const calendar = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState<string | null>(null);
  const [code, setCode] = useState<string | null>(null);
  const written = (day: string | undefined) => (day ? textOfDay(language, day) : '');
  const error = useErrorCode(code, { example: written('2026-11-24'), min: written(min), max: written(max) });
  const faultOf = (day: string | null) => {
    if (day === null) return 'day_unreadable';
    if (day === '') return null;
    return min && day < min ? 'day_too_early' : max && day > max ? 'day_too_late' : null;
  };
  const take = (text: string, day: string | null) => {
    const fault = faultOf(day);
    setCode(fault);
    setDraft(fault && text);
    const next = fault ? '' : (day ?? '');
    if (next !== value) onChange(next);
  };
  const read = () => {
    if (draft !== null) take(draft, draft.trim() === '' ? '' : dayOfText(language, draft));
  };
  return (
    <Field label={label} error={error}>
      {(wiring) => (
        <div className={styles.place}>
          <input
            ref={calendar}
            type="date"
            className={styles.calendar}
            tabIndex={-1}
            aria-hidden
            min={min}
            max={max}
            value={value}
            onChange={({ target }) => take(written(target.value), target.value)}
          />
          <Input
            {...wiring}
            disabled={disabled}
            autoComplete="off"
            maxLength={30}
            value={draft ?? written(value)}
            onChange={(event) => {
              setDraft(event.target.value);
              setCode(null);
            }}
            onBlur={read}
            onPressEnter={read}
            suffix={
              <Button
                type="text"
                size="small"
                className={styles.open}
                // Only the pointer needs it: the keyboard types the day.
                tabIndex={-1}
                aria-hidden
                disabled={disabled}
                icon={<CalendarDays />}
                onClick={() => calendar.current?.showPicker?.()}
              />
            }
          />
        </div>
      )}
    </Field>
  );
}
