import type { Settings } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Button, Download, Dropdown, Tooltip } from '@pool/shared/ui/core';
import styles from './hashrate-panel.module.css';

type Zone = Settings['timeZone'];
type Props = { zone: Zone; onZone(zone: Zone): void; disabled: boolean; onCsv(): void; onPng(): void };

/** Switches the chart's time zone and downloads the chart. */
export function ChartMenu({ zone, onZone, disabled, onCsv, onPng }: Props) {
  const { t } = useTranslation();
  const other = zone === 'utc' ? 'local' : 'utc';
  const zoneSwitch = t('dashboard.zoneSwitch', {
    zone: t(`dashboard.zone.${zone}`),
    other: t(`dashboard.zone.${other}`),
  });
  return (
    <div className={styles.menu}>
      <Tooltip title={zoneSwitch}>
        <Button type="text" size="small" aria-label={zoneSwitch} onClick={() => onZone(other)}>
          {t(`dashboard.zone.${zone}`)}
        </Button>
      </Tooltip>
      <Dropdown
        trigger={['click']}
        disabled={disabled}
        menu={{
          items: [
            { key: 'csv', label: t('dashboard.downloadCsv'), onClick: onCsv },
            { key: 'png', label: t('dashboard.downloadPng'), onClick: onPng },
          ],
        }}
      >
        <Button
          type="text"
          size="small"
          aria-label={t('dashboard.download')}
          icon={<Download size={16} strokeWidth={1.75} aria-hidden="true" />}
        />
      </Dropdown>
    </div>
  );
}
