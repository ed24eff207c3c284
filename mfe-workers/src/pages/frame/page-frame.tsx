import { useTranslation } from '@pool/shared/i18n';
import { PageHeader } from '@pool/shared/ui/core';
import type { ReactNode } from 'react';
import { Tabs, type Tab } from './tabs';

type Props = { tab: Tab; sub: ReactNode; actions?: ReactNode; children: ReactNode };

export function PageFrame({ tab, sub, actions, children }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t('workers.title')} sub={sub} actions={actions} />
      <Tabs shown={tab} />
      {children}
    </>
  );
}
