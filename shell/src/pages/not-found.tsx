import { useTranslation } from '@pool/shared/i18n';
import { usePageTitle } from '@pool/shared/remote';
import { Link } from '@pool/shared/router';
import { accountPath } from '@pool/shared/shell-pages';
import { Denied, Message } from '@pool/shared/ui/core';

/** Also for a page the user may not see. `twoStepRequired`: an admin's rights wait for two-step sign-in. */
export function NotFound({ twoStepRequired = false }: { twoStepRequired?: boolean }) {
  const { t } = useTranslation();
  usePageTitle(t('ui.denied.title'));
  return twoStepRequired ? (
    <Message title={t('ui.denied.title')} text={t('shell.twoStepRequired')}>
      <Link to={accountPath('security')}>{t('shell.twoStepSetUp')}</Link>
    </Message>
  ) : (
    <Denied />
  );
}
