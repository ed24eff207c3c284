import { useTranslation } from '@pool/shared/i18n';
import { Link } from '@pool/shared/router';
import { accountPath } from '@pool/shared/shell-pages';
import { Banner } from './banner';

/** Banner for an admin who may do nothing as an admin before two-step sign-in is on. */
export function TwoStepBanner() {
  const { t } = useTranslation();
  return (
    <Banner>
      {t('shell.twoStepRequired')} <Link to={accountPath('security')}>{t('shell.twoStepSetUp')}</Link>
    </Banner>
  );
}
