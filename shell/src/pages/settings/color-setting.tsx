import { useTranslation } from '@pool/shared/i18n';
import { brandShades, contrast, TEXT_CONTRAST } from '@pool/shared/ui/core';
import common from '@pool/shared/ui/common.module.css';
import { useId } from 'react';
import { DEFAULT_COLOR } from '../../settings/settings';
import { useSettingsStore } from '../../settings/settings-context';
import styles from './settings-form.module.css';

const PRESETS = {
  red: DEFAULT_COLOR,
  orange: '#f39a4a',
  green: '#0e9b76',
  blue: '#1b6ad6',
  violet: '#6d4bd8',
} as const;
const WHITE = '#ffffff';

/** The primary colour. One that white text could not be read on is used in a darker shade, and says so. */
export function ColorSetting() {
  const { t } = useTranslation();
  const { chosen, change } = useSettingsStore();
  const labelId = useId();
  const { themeColor } = chosen;
  const ratio = contrast(WHITE, themeColor);
  const { brandFill } = brandShades(themeColor, WHITE);
  return (
    <div className={styles.setting}>
      <span id={labelId} className={common.label}>
        {t('settings.themeColor')}
      </span>
      <div className={styles.colors} role="group" aria-labelledby={labelId}>
        {Object.entries(PRESETS).map(([name, color]) => (
          <button
            key={name}
            type="button"
            className={styles.color}
            style={{ background: color }}
            aria-pressed={color === themeColor}
            aria-label={t(`settings.color.${name}`)}
            title={t(`settings.color.${name}`)}
            onClick={() => change({ themeColor: color })}
          />
        ))}
        <label className={styles.own}>
          <input
            type="color"
            value={themeColor}
            onChange={({ target }) => change({ themeColor: target.value.toLowerCase() })}
          />
          {t('settings.color.own')}
        </label>
      </div>
      {ratio < TEXT_CONTRAST && themeColor !== DEFAULT_COLOR && (
        <p role="status" className={common.hint}>
          {t('settings.contrast', {
            ratio: ratio.toFixed(1),
            shade: brandFill,
            better: contrast(WHITE, brandFill).toFixed(1),
          })}
        </p>
      )}
    </div>
  );
}
