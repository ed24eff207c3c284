import { Check, Copy } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../copy-text';
import { VisuallyHidden } from './visually-hidden';
import s from './copy-field.module.css';

const CONFIRM_MS = 2000;

/** Copies `value`, and confirms it with its icon and to screen readers. `label`: name of the value. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const { t } = useTranslation();
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), CONFIRM_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => void copyText(value).then((done) => setState(done ? 'copied' : 'failed'));
  const name = t('ui.copy', { what: label });
  return (
    <>
      <button type="button" className={s.button} onClick={copy} aria-label={name} title={name} data-copy="">
        {state === 'copied' ? <Check className={s.copied} /> : <Copy />}
      </button>
      <span role="status">
        {state !== 'idle' &&
          (state === 'copied' ? (
            <VisuallyHidden>{t('ui.copied')}</VisuallyHidden>
          ) : (
            <span className={s.failed}>{t('ui.copyFailed')}</span>
          ))}
      </span>
    </>
  );
}

export type CopyFieldProps = {
  /** The full value to copy. */
  value: string;
  /** Name for screen readers; visible with `showLabel`. */
  label: string;
  showLabel?: boolean;
  /** Displayed instead of the value: with a less prominent part (`<em>`), or an example. */
  display?: ReactNode;
  size?: 'middle' | 'large';
};

/** A value to copy: URL, worker name, address. Always left to right. */
export function CopyField({ value, label, showLabel = false, display, size = 'middle' }: CopyFieldProps) {
  return (
    <div className={`${s.field} ${s[size]}`}>
      {showLabel && <span className={s.label}>{label}</span>}
      <bdi dir="ltr" className={s.value}>
        {display ?? value}
      </bdi>
      <CopyButton value={value} label={label} />
    </div>
  );
}
