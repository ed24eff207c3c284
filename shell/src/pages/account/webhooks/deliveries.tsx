import type { WebhookDelivery } from '@pool/shared/api/contract';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { useApi } from '@pool/shared/remote';
import { QueryError, StateMark, useFormat, type StateName } from '@pool/shared/ui/core';
import { Newest } from '@pool/shared/ui/table';
import form from '../form.module.css';
import styles from './deliveries.module.css';
import { deliveriesQuery } from './queries';

const STATES = { waiting: 'queued', sent: 'sent', failed: 'failed' } as const satisfies Record<
  WebhookDelivery['state'],
  StateName
>;

/** What was sent to a webhook, and what it answered. */
export function Deliveries({ id }: { id: number }) {
  const { t } = useTranslation();
  const deliveries = useQuery(deliveriesQuery(useApi(), id));
  const { data } = deliveries;
  return (
    <section aria-label={t('account.webhook.log')}>
      <h3 className={styles.title}>{t('account.webhook.log')}</h3>
      <QueryError query={deliveries} />
      {data?.length === 0 && <p className={styles.quiet}>{t('account.webhook.logEmpty')}</p>}
      {data?.map((delivery) => (
        <Delivery key={delivery.id} delivery={delivery} />
      ))}
      <Newest of="webhookDeliveries" rows={data} />
    </section>
  );
}

function Delivery({ delivery }: { delivery: WebhookDelivery }) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const { id, state, attempts, request, answer, error, createdAt, nextAt } = delivery;
  const { type } = JSON.parse(request) as { type: string };
  const why = answer ? String(answer.status) : error && t(`account.webhook.error.${error}`, { defaultValue: error });
  return (
    <details className={styles.delivery}>
      <summary>
        <bdi dir="ltr" className={styles.type}>
          {type}
        </bdi>
        <span className={styles.state}>
          <StateMark state={STATES[state]} />
          {why}
        </span>
        <time className={styles.quiet} dateTime={createdAt}>
          {moment(createdAt)}
        </time>
      </summary>
      <p className={styles.quiet}>
        <bdi dir="ltr">{id}</bdi> · {t('account.webhook.attempts', { count: attempts })}
        {nextAt && <span> · {t('account.webhook.next', { time: moment(nextAt) })}</span>}
        {answer && <span> · {t('account.webhook.took', { ms: answer.ms })}</span>}
      </p>
      <p>{t('account.webhook.request')}</p>
      <pre className={form.code} dir="ltr">
        {request}
      </pre>
      {answer && (
        <>
          <p>{t('account.webhook.answer', { status: answer.status })}</p>
          <pre className={form.code} dir="ltr">
            {answer.body || '—'}
          </pre>
        </>
      )}
    </details>
  );
}
