import { useTranslation } from '@pool/shared/i18n';
import { usePageTitle } from '@pool/shared/remote';
import { Link } from '@pool/shared/router';
import { MessagePage } from './message-page';

/** Also shown for a page the user may not see. */
export function NotFound() {
  const { t } = useTranslation();
  usePageTitle(t('notFound.title'));
  return (
    <MessagePage title={t('notFound.title')} text={t('notFound.text')}>
      <Link to="/">{t('notFound.home')}</Link>
    </MessagePage>
  );
}
