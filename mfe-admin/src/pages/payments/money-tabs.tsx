import { useTranslation } from '@pool/shared/i18n';
import { LinkTabs } from '@pool/shared/link-tabs';

const MONEY_TABS = {
  payments: 'payments',
  referral: 'payments/referral',
  bonus: 'payments/bonus',
  corrections: 'payments/corrections',
  closing: 'payments/closing',
} as const;
type MoneyTab = keyof typeof MONEY_TABS;

export function MoneyTabs({ shown }: { shown: MoneyTab }) {
  const { t } = useTranslation();
  const tabs = (Object.keys(MONEY_TABS) as MoneyTab[]).map((name) => ({
    name,
    to: `/admin/${MONEY_TABS[name]}`,
    text: t(`admin.money.${name}`),
  }));
  return <LinkTabs label={t('admin.money.tabs')} tabs={tabs} shown={shown} />;
}
