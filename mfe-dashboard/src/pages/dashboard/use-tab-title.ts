import { displayHashrate } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useEffect } from 'react';

const PRODUCT = 'Mining Pool';

/** The browser's tab carries the 5-minute hashrate (H/s). The shell names the tab again when the page changes. */
export function useTabTitle(hs: number | undefined): void {
  const { t } = useTranslation();
  const shown = hs === undefined ? null : displayHashrate(hs);
  const hashrate = shown && `${shown.value} ${shown.unit}`;
  useEffect(() => {
    if (hashrate) document.title = `${t('dashboard.tabTitle', { hashrate })} · ${PRODUCT}`;
  }, [hashrate, t]);
}
