import { useTranslation } from '@pool/shared/i18n';
import { Button, CalendarDays, Check, formatDays, useFormat, useNarrow } from '@pool/shared/ui/core';
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import styles from './days-picker.module.css';
import { PRESETS, type Preset, type Range } from './range';

// Loaded when the panel is opened: the fields are not in the first load.
const CustomDays = lazy(async () => ({ default: (await import('./custom-days')).CustomDays }));

type Choice = { preset: Preset } | { from: string; to: string };

/** A button with the shown days; it opens a panel with preset ranges and two date fields (UTC days). */
export function DaysPicker({
  range,
  today,
  onChoose,
}: {
  range: Range;
  today: string;
  onChoose: (choice: Choice) => void;
}) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const panelId = useId();
  const narrow = useNarrow();

  useEffect(() => {
    if (!open) return;
    const closeOutside = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [open]);

  const close = () => {
    setOpen(false);
    root.current?.querySelector('button')?.focus();
  };
  const choose = (choice: Choice) => {
    onChoose(choice);
    close();
  };
  const text = range.from && range.to ? formatDays(language, range.from, range.to) : t('payments.range.all');
  return (
    <div ref={root} className={styles.root} onKeyDown={(event) => open && event.key === 'Escape' && close()}>
      <Button
        size={narrow ? 'large' : 'middle'}
        icon={<CalendarDays size={16} aria-hidden />}
        aria-label={t('payments.range.label', { range: text })}
        aria-expanded={open}
        aria-controls={open ? panelId : undefined}
        onClick={() => setOpen(!open)}
      >
        {narrow ? null : <bdi className={styles.label}>{text}</bdi>}
      </Button>
      {open && (
        <div id={panelId} className={styles.panel}>
          <ul className={styles.presets}>
            {PRESETS.map((preset) => (
              <li key={preset}>
                <button type="button" aria-pressed={range.preset === preset} onClick={() => choose({ preset })}>
                  {t(`payments.range.${preset}`)}
                  {range.preset === preset && <Check size={16} aria-hidden />}
                </button>
              </li>
            ))}
          </ul>
          <Suspense>
            <CustomDays range={range} today={today} onChoose={choose} />
          </Suspense>
        </div>
      )}
    </div>
  );
}
