import { useTranslation } from '@pool/shared/i18n';
import { LinkTabs } from '@pool/shared/link-tabs';
import type { HistoryKind } from '../../api/history';

export const TABS = ['earnings', 'payouts'] as const satisfies readonly HistoryKind[];

/** `searchOf`: the address of a tab, with the days that are chosen. */
export function Tabs({ shown, searchOf }: { shown: HistoryKind; searchOf: (tab: HistoryKind) => string }) {
  const { t } = useTranslation();
  const tabs = TABS.map((name) => ({ name, to: { search: searchOf(name) }, text: t(`payments.tab.${name}`) }));
  return <LinkTabs label={t('payments.tabs')} tabs={tabs} shown={shown} />;
}
