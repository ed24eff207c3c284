import { useTranslation } from '@pool/shared/i18n';
import { usePageTitle } from '@pool/shared/remote';
import { PageHeader, Panel } from '@pool/shared/ui/core';
import { SettingsForm } from './settings-form';

/** `/pages/account-settings/account`: every setting, in effect at once. */
export default function SettingsPage() {
  const { t } = useTranslation();
  const title = t('settings.nav');
  usePageTitle(title);
  return (
    <>
      <PageHeader title={title} sub={t('settings.sub')} />
      <Panel>
        <SettingsForm />
      </Panel>
    </>
  );
}
