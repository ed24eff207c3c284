import type { Payment } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { formatDayClock, formatDays, StateGlyph, useFormat } from '@pool/shared/ui/core';
import { courseOf, type Step } from './course';
import styles from './course-line.module.css';
import { useReason } from './use-reason';

/** Words of the steps that are more than a state. */
const WORDS: Partial<Record<Step['state'], string>> = {
  earned: 'payments.course.earned',
  pending: 'payments.course.due',
  queued: 'payments.course.approved',
};

/** The steps of a payout with their times (UTC): earned, due, approved, sent, confirmed. They wrap where they do not fit. */
export function CourseLine({ payout }: { payout: Payment }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const reason = useReason(payout);
  const { status, periodFrom, periodTo } = payout;
  return (
    <ol className={styles.course} aria-label={t('payments.payout.course')}>
      {courseOf(payout).map(({ state, when, at }) => (
        <li key={state} data-when={when} aria-current={when === 'now' ? 'step' : undefined}>
          <div className={styles.word}>
            {when === 'now' && <StateGlyph state={payout.reason === 'review' ? 'review' : status} />}
            <span>{t(WORDS[state] ?? `ui.state.${state}`)}</span>
          </div>
          {state === 'earned' && <bdi>{formatDays(language, periodFrom, periodTo)}</bdi>}
          {at !== null && <time dateTime={at}>{formatDayClock(language, 'utc', at)}</time>}
          {when === 'now' && reason !== null && <bdi className={styles.why}>{reason}</bdi>}
        </li>
      ))}
    </ol>
  );
}
