import { displayHashrate } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useEffect } from 'react';

const PRODUCT = 'Mining Pool';

/** Shows the 5-minute hashrate (H/s) in the tab title. The shell resets the title when the page changes. */
export function useTabTitle(hs: number | undefined): void {
  const { t } = useTranslation();
  const shown = hs === undefined ? null : displayHashrate(hs);
  const hashrate = shown && `${shown.value} ${shown.unit}`;
  useEffect(() => {
    if (hashrate) document.title = `${t('dashboard.tabTitle', { hashrate })} · ${PRODUCT}`;
  }, [hashrate, t]);
}
