import { useTranslation } from '@pool/shared/i18n';
import { PageHeader, Panel } from '@pool/shared/ui/core';
import { useEffect } from 'react';
import { SettingsForm } from './settings-form';

/** `/pages/account-settings/account`: every setting, in effect at once. */
export default function SettingsPage() {
  const { t } = useTranslation();
  const title = t('settings.nav');
  useEffect(() => {
    document.title = `${title} · Mining Pool`;
  }, [title]);
  return (
    <>
      <PageHeader title={title} sub={t('settings.sub')} />
      <Panel>
        <SettingsForm />
      </Panel>
    </>
  );
}
