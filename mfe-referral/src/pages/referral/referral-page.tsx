import { useTranslation } from '@pool/shared/i18n';
import { PageHeader, useFormat } from '@pool/shared/ui/core';
import { useCode } from '../../api/code';
import { ActivateForm } from './activate-form';
import { InvitePanel } from './invite-panel';
import { ReferredList } from './referred-list';
import styles from './referral-page.module.css';
import { StatsStrip } from './stats-strip';

export function ReferralPage() {
  const { t } = useTranslation();
  const { percent } = useFormat();
  const { data: code } = useCode();
  const terms = code && t('referral.terms', { rate: percent(code.ratePercent / 100, Number.isInteger(code.ratePercent) ? 0 : 2), count: code.months });
  return (
    <div className={styles.page}>
      <PageHeader title={t('referral.title')} sub={terms ?? '\u00a0'} />
      <StatsStrip />
      <div className={styles.two}>
        <InvitePanel />
        <ActivateForm />
      </div>
      <ReferredList hasCode={code ? code.code !== null : true} />
    </div>
  );
}
