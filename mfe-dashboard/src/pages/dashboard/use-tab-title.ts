import { useTranslation } from '@pool/shared/i18n';
import { usePageTitle } from '@pool/shared/remote';
import { useFormat } from '@pool/shared/ui/core';

/** Shows the 5-minute hashrate (H/s) in the tab title. */
export function useTabTitle(hs: number | undefined): void {
  const { t } = useTranslation();
  const format = useFormat();
  const hashrate = hs === undefined ? null : format.hashrateText(hs);
  usePageTitle(hashrate ? t('dashboard.tabTitle', { hashrate }) : undefined);
}
