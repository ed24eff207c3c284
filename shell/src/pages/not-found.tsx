import { useTranslation } from '@pool/shared/i18n';
import { usePageTitle } from '@pool/shared/remote';
import { Link } from '@pool/shared/router';
import { accountPath } from '@pool/shared/shell-pages';
import { MessagePage } from './message-page';

/**
 * Also shown for a page the user may not see. `twoStepRequired`: for an admin who has no admin's rights before two-step
 * sign-in is on.
 */
export function NotFound({ twoStepRequired = false }: { twoStepRequired?: boolean }) {
  const { t } = useTranslation();
  usePageTitle(t('notFound.title'));
  return (
    <MessagePage title={t('notFound.title')} text={t(twoStepRequired ? 'shell.twoStepRequired' : 'notFound.text')}>
      {twoStepRequired ? (
        <Link to={accountPath('security')}>{t('shell.twoStepSetUp')}</Link>
      ) : (
        <Link to="/">{t('notFound.home')}</Link>
      )}
    </MessagePage>
  );
}
