import { useTranslation } from '@pool/shared/i18n';
import { PageLink } from '@pool/shared/remote';
import { Button, Empty } from '@pool/shared/ui/core';

/** `ever`: on other days something was earned. */
type Props = { ever: boolean; onShowAll: () => void };

export function NoEarnings({ ever, onShowAll }: Props) {
  const { t } = useTranslation();
  const word = ever ? 'empty' : 'first';
  const action = ever ? (
    <Button onClick={onShowAll}>{t('payments.all-time')}</Button>
  ) : (
    <PageLink page="dashboard.overview">{t('payments.connect')}</PageLink>
  );
  return (
    <Empty title={t(`payments.earnings.${word}`)} action={action}>
      {t(`payments.earnings.${word}-hint`)}
    </Empty>
  );
}
