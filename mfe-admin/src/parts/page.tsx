import { useTranslation } from '@pool/shared/i18n';
import { usePageTitle } from '@pool/shared/remote';
import { PageHeader } from '@pool/shared/ui/core';
import type { ReactNode } from 'react';
import styles from './parts.module.css';

/** A page of the admin area: its heading, and the title of the browser's tab where the navigation has none for it. */
export function Page({
  title,
  sub,
  actions,
  children,
}: {
  title: string;
  sub?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  usePageTitle(`${title} · ${t('admin.nav')}`);
  return (
    <div className={styles.page}>
      <PageHeader title={title} sub={sub} actions={actions} />
      {children}
    </div>
  );
}
