import type { Payment } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { formatDayClock, formatDays, StateGlyph, useFormat } from '@pool/shared/ui/core';
import { courseOf, type Step } from './course';
import styles from './course-line.module.css';

/** Words of the steps that are more than a state. */
const WORDS: Partial<Record<Step['state'], string>> = {
  earned: 'payments.course.earned',
  pending: 'payments.course.due',
  queued: 'payments.course.approved',
};

/** Why a payout is where it is, in words; what a person of the pool wrote stays as it is. */
function useReason({ reason }: Payment): string | null {
  const { t, i18n } = useTranslation();
  if (reason === null) return null;
  const key = `payments.reason.${reason}`;
  return i18n.exists(key) ? t(key) : reason;
}

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
