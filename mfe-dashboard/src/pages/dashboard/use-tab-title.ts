import { useTranslation } from '@pool/shared/i18n';
import { useFormat } from '@pool/shared/ui/core';
import { useEffect } from 'react';

const PRODUCT = 'Mining Pool';

/** Shows the 5-minute hashrate (H/s) in the tab title. The shell resets the title when the page changes. */
export function useTabTitle(hs: number | undefined): void {
  const { t } = useTranslation();
  const format = useFormat();
  const hashrate = hs === undefined ? null : format.hashrateText(hs);
  useEffect(() => {
    if (hashrate) document.title = `${t('dashboard.tabTitle', { hashrate })} · ${PRODUCT}`;
  }, [hashrate, t]);
}
