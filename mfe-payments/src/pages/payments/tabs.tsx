import { useTranslation } from '@pool/shared/i18n';
import { LinkTabs } from '@pool/shared/link-tabs';

export const TABS = ['earnings', 'payouts', 'settings'] as const;
export type Tab = (typeof TABS)[number];

/** `searchOf`: the address of a tab, with the days that are chosen. */
export function Tabs({
  shown,
  offered,
  searchOf,
}: {
  shown: Tab;
  offered: readonly Tab[];
  searchOf: (tab: Tab) => string;
}) {
  const { t } = useTranslation();
  const tabs = offered.map((name) => ({ name, to: { search: searchOf(name) }, text: t(`payments.tab.${name}`) }));
  return <LinkTabs label={t('payments.tabs')} tabs={tabs} shown={shown} />;
}
