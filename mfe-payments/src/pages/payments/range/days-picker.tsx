import { useTranslation } from '@pool/shared/i18n';
import { lazyPart } from '@pool/shared/remote';
import { Button, CalendarDays, Check, formatDays, useFormat, useNarrow, usePopup } from '@pool/shared/ui/core';
import common from '@pool/shared/ui/common.module.css';
import { useId } from 'react';
import styles from './days-picker.module.css';
import { PRESETS, type Preset, type Range } from './range';

// Loaded when the panel is opened: the fields are not in the first load.
const CustomDays = lazyPart([], async () => (await import('./custom-days')).CustomDays, null);

type Choice = { range?: Preset; from?: string; to?: string };

type Props = { range: Range; today: string; onChoose: (choice: Choice) => void };

export function DaysPicker({ range, today, onChoose }: Props) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { open, setOpen, close, root } = usePopup();
  const panelId = useId();
  const narrow = useNarrow();

  const choose = (choice: Choice) => {
    onChoose(choice);
    close();
  };
  const text = range.from && range.to ? formatDays(language, range.from, range.to) : t('payments.range.all');
  return (
    <div {...root} className={common.frame}>
      <Button
        size={narrow ? 'large' : 'middle'}
        icon={<CalendarDays />}
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
                <button
                  type="button"
                  aria-pressed={range.preset === preset}
                  onClick={() => choose({ range: preset, from: undefined, to: undefined })}
                >
                  {t(`payments.range.${preset}`)}
                  {range.preset === preset && <Check />}
                </button>
              </li>
            ))}
          </ul>
          <CustomDays range={range} today={today} onChoose={(days) => choose({ range: undefined, ...days })} />
        </div>
      )}
    </div>
  );
}
