import { useTranslation } from '@pool/shared/i18n';
import { PageLink } from '@pool/shared/remote';
import { Button, Empty } from '@pool/shared/ui/core';

/** `ever`: on other days something was earned. */
type Props = { ever: boolean; onShowAll: () => void };

export function NoEarnings({ ever, onShowAll }: Props) {
  const { t } = useTranslation();
  return ever ? (
    <Empty title={t('payments.earnings.empty')} action={<Button onClick={onShowAll}>{t('payments.all-time')}</Button>}>
      {t('payments.earnings.empty-hint')}
    </Empty>
  ) : (
    <Empty
      title={t('payments.earnings.first')}
      action={<PageLink page="dashboard.overview">{t('payments.connect')}</PageLink>}
    >
      {t('payments.earnings.first-hint')}
    </Empty>
  );
}
