import { ApiError } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { LinkTabs } from '@pool/shared/link-tabs';
import { usePageTitle } from '@pool/shared/remote';
import { Denied, PageHeader } from '@pool/shared/ui/core';
import common from '@pool/shared/ui/common.module.css';
import type { ReactNode } from 'react';

const MONEY_TABS = ['payments', 'referral', 'bonus', 'corrections', 'closing'] as const;

type Props = {
  /** The tab of a page about money. */
  money?: (typeof MONEY_TABS)[number];
  title: string;
  sub?: ReactNode;
  actions?: ReactNode;
  /** Error of the page's first query: where it may not be read, the page looks like a missing one. */
  error: Error | null;
  children: ReactNode;
};

/** The server returns the same for a missing permission as for a missing page. */
const isDenied = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 403 || error.status === 404);

/** A page of the admin area: its heading, and the title of the browser's tab where the navigation has none for it. */
export const Page = ({ error, ...frame }: Props) => (isDenied(error) ? <Denied /> : <Frame {...frame} />);

function Frame({ money, title, sub, actions, children }: Omit<Props, 'error'>) {
  const { t } = useTranslation();
  usePageTitle(`${title} · ${t('admin.nav')}`);
  return (
    <div className={common.page}>
      <PageHeader title={title} sub={sub} actions={actions} />
      {money && (
        <LinkTabs
          label={t('admin.money.tabs')}
          tabs={MONEY_TABS.map((name) => ({
            name,
            to: `/admin/payments${name === 'payments' ? '' : `/${name}`}`,
            text: t(`admin.money.${name}`),
          }))}
          shown={money}
        />
      )}
      {children}
    </div>
  );
}
