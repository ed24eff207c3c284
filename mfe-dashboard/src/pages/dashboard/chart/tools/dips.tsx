import type { Answer } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { lazyPart, useServiceQuery } from '@pool/shared/remote';
import { Hint, useFormat } from '@pool/shared/ui/core';
import type { FirstDayProps } from '../../../first-run/first-run-page';

const REFETCH_MS = 5 * 60_000;

/** Times of the last day at which the account mined clearly less than usual. */
const useDips = () =>
  useServiceQuery(({ api, session: { account, algorithm } }) => ({
    queryKey: ['dips', { account, algorithm }],
    queryFn: ({ signal }) => api('GET /dips', { query: { algorithm, userName: account }, signal }),
    refetchInterval: REFETCH_MS,
  }));

const FirstDay = lazyPart(
  'dashboard-first-run',
  async () => (await import('../../../first-run/first-run-page')).FirstDay,
  null,
);

type Dip = Answer<'GET /dips'>[number];

/** The last dip with its side and cost, all of them on request. `follows`: other words stand before it. */
export function Dips({ live, follows }: { live: FirstDayProps; follows: boolean }) {
  const { data: dips = [] } = useDips();
  const [last, ...others] = dips;
  return (
    <>
      {last && follows && <span>{' · '}</span>}
      {last && others.length > 0 ? (
        <Hint
          text={dips.map((dip) => (
            <p key={dip.at}>
              <InWords dip={dip} />
            </p>
          ))}
        >
          <InWords dip={last} />
        </Hint>
      ) : (
        last && <InWords dip={last} />
      )}
      {live.current.minedSince !== undefined && <FirstDay {...live} />}
    </>
  );
}

function InWords({ dip: { at, until, side, lostSat = 0 } }: { dip: Dip }) {
  const { t } = useTranslation();
  const { clock, duration, count } = useFormat();
  const what = t(`dashboard.dip.${side}`, { time: clock(at), duration: duration(until - at) });
  return <span>{lostSat > 0 ? t('dashboard.dip.cost', { what, sats: count(lostSat) }) : what}</span>;
}
