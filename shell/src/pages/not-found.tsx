import { useTranslation } from '@pool/shared/i18n';
import { Link } from '@pool/shared/router';
import { useEffect } from 'react';
import { MessagePage } from './message-page';

/** Also shown for a page the user may not see. */
export function NotFound() {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = `${t('notFound.title')} · Mining Pool`;
  }, [t]);
  return (
    <MessagePage title={t('notFound.title')} text={t('notFound.text')}>
      <Link to="/">{t('notFound.home')}</Link>
    </MessagePage>
  );
}
