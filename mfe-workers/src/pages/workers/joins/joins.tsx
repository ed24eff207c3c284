import type { WorkerJoins } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useLocation, useNavigate, useParams } from '@pool/shared/router';
import { Button, ErrorPanel, Notice, useFormat } from '@pool/shared/ui/core';
import { useJoin, usePart, useWorkerJoins } from '../../../api/worker-joins';
import styles from './joins.module.css';

type Offer = WorkerJoins['offers'][number];
/** The server joins so many at once. */
const AT_ONCE = 1000;

/** New names that look like former ones, and what was joined lately; `worker`: only what is about it. */
export function Joins({ worker }: { worker?: number }) {
  const { t } = useTranslation();
  const { moment, duration } = useFormat();
  const { data } = useWorkerJoins();
  const { id } = useParams();
  const { search } = useLocation();
  const navigate = useNavigate();
  // An opened worker is followed to its history.
  const join = useJoin(({ pairs, same }) => {
    const opened = same ? pairs.find((pair) => String(pair.worker) === id) : undefined;
    if (opened) void navigate({ pathname: `../${opened.former}`, search }, { replace: true });
  });
  const part = usePart();
  const isShown = (one: { worker: number }) => worker === undefined || one.worker === worker;
  const offers = data?.offers.filter(isShown) ?? [];
  const joins = data?.joins.filter(isShown) ?? [];
  const run = (some: readonly Offer[], same: boolean) =>
    join.mutate({ pairs: some.map((offer) => ({ worker: offer.worker, former: offer.former })), same });
  const error = join.error ?? part.error;
  return (
    <div className={styles.list}>
      {offers.length > 1 && (
        <Button type="primary" loading={join.isPending} onClick={() => run(offers.slice(0, AT_ONCE), true)}>
          {t('workers.joins.joinAll', { count: Math.min(offers.length, AT_ONCE) })}
        </Button>
      )}
      {offers.map((offer) => (
        <Notice key={offer.worker} tone="info">
          <strong>{t('workers.joins.offer', offer)}.</strong>{' '}
          {offer.since > offer.goneAt
            ? t('workers.joins.why', { duration: duration(offer.since - offer.goneAt) })
            : t('workers.joins.whyNow')}
          <div className={styles.actions}>
            <Button disabled={join.isPending} onClick={() => run([offer], true)}>
              {t('workers.joins.join')}
            </Button>
            <Button type="text" disabled={join.isPending} onClick={() => run([offer], false)}>
              {t('workers.joins.two')}
            </Button>
          </div>
        </Notice>
      ))}
      {joins.map((one) => (
        <Notice key={one.id} tone="info">
          {t('workers.joins.was', { ...one, moment: moment(one.at) })}
          <div className={styles.actions}>
            <Button disabled={part.isPending} onClick={() => part.mutate(one.id)}>
              {t('workers.undo')}
            </Button>
          </div>
        </Notice>
      ))}
      {error && <ErrorPanel error={error} />}
    </div>
  );
}

type RenamedProps = { open: boolean; onOpen(): void };

/** Says how many new names look like former ones, and opens them above the list. */
export function Renamed({ open, onOpen }: RenamedProps) {
  const { t } = useTranslation();
  const [offer, another] = useWorkerJoins().data?.offers ?? [];
  if (!offer && !open) return null;
  const text = offer && !another ? t('workers.joins.offer', offer) : t('workers.joins.offers');
  return (
    <Button type="link" size="small" aria-expanded={open} onClick={onOpen}>
      {open ? t('workers.joins.hide') : text}
    </Button>
  );
}
