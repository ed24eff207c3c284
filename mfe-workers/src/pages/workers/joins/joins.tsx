import type { WorkerJoins } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useLocation, useNavigate, useParams } from '@pool/shared/router';
import { Button, ErrorPanel, Notice, useFormat } from '@pool/shared/ui/core';
import { useJoin, usePart, useWorkerJoins } from '../../../api/worker-joins';
import styles from './joins.module.css';

type Offer = WorkerJoins['offers'][number];
type Join = WorkerJoins['joins'][number];
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
  const kept = joins.filter(({ id: one }) => part.data?.kept.includes(one));
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
      {kept.length > 0 && (
        <Notice tone="warn">{t('workers.joins.kept', { names: kept.map(({ former }) => former).join(', ') })}</Notice>
      )}
      {togetherOf(joins).map((some) => (
        <Notice key={some[0].id} tone="info">
          {some.length > 1
            ? t('workers.joins.wereMany', { count: some.length, moment: moment(some[0].at) })
            : t('workers.joins.was', { ...some[0], moment: moment(some[0].at) })}
          <div className={styles.actions}>
            <Button disabled={part.isPending} onClick={() => part.mutate(some)}>
              {t('workers.undo')}
            </Button>
          </div>
        </Notice>
      ))}
      {error && <ErrorPanel error={error} />}
    </div>
  );
}

/** Joins by the click that made them, as many as the server takes at once. */
function togetherOf(joins: readonly Join[]): [Join, ...Join[]][] {
  const all: [Join, ...Join[]][] = [];
  for (const join of joins) {
    const last = all.at(-1);
    if (last && last[0].at === join.at && last.length < AT_ONCE) last.push(join);
    else all.push([join]);
  }
  return all;
}

type RenamedProps = { open: boolean; onOpen(): void };

/** Says that new names look like former ones, or how many were joined lately, and opens them above the list. */
export function Renamed({ open, onOpen }: RenamedProps) {
  const { t } = useTranslation();
  const { offers = [], joins = [] } = useWorkerJoins().data ?? {};
  const [offer, another] = offers;
  // A single one is parted in its panel.
  if (!offer && joins.length < 2 && !open) return null;
  const lately = t('workers.joins.lately', { count: joins.length });
  const text = !offer ? lately : another ? t('workers.joins.offers') : t('workers.joins.offer', offer);
  return (
    <Button type="link" size="small" aria-expanded={open} onClick={onOpen}>
      {open ? t('workers.joins.hide') : text}
    </Button>
  );
}
