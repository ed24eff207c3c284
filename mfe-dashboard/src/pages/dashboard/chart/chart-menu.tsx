import type { Settings } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Button, Tooltip } from '@pool/shared/ui/core';
import type { ReactNode } from 'react';
import styles from './hashrate-panel.module.css';

type Zone = Settings['timeZone'];

/** Switches the chart's time zone. `children`: what loads later. */
export function ChartMenu({ zone, onZone, children }: { zone: Zone; onZone(zone: Zone): void; children: ReactNode }) {
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
      <div className={styles.more}>{children}</div>
    </div>
  );
}
