import type { PublicConfig } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { CALCULATOR_PATH, FAQ_PATH, HASHPRICE_PATH, SETUP_PATH } from '@pool/shared/public-pages';
import { Link, useLocation } from '@pool/shared/router';
import { Frame } from './frame';
import styles from './frame.module.css';
import PublicPage from './public-page';

/** A public page as a visitor sees it: without the navigation of a signed-in user. */
export default function VisitorPage({ config }: { config: PublicConfig }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return (
    <Frame
      config={config}
      links={[
        { path: CALCULATOR_PATH, label: t('public.calculator') },
        { path: HASHPRICE_PATH, label: t('public.hashprice') },
        { path: FAQ_PATH, label: t('public.faq') },
        { path: SETUP_PATH, label: t('public.setup') },
      ]}
      active={pathname}
      end={
        <Link to={config.identity.signInUrl} className={styles.signIn}>
          {t('public.signIn')}
        </Link>
      }
    >
      <PublicPage />
    </Frame>
  );
}
