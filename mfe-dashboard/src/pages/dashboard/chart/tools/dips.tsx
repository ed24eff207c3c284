import type { Answer } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { lazyPart } from '@pool/shared/remote';
import { Hint, useFormat } from '@pool/shared/ui/core';
import { useDips } from '../../../../api/dips';
import type { FirstDayProps } from '../../../first-run/first-run-page';

const FirstDay = lazyPart(
  'dashboard-first-run',
  async () => (await import('../../../first-run/first-run-page')).FirstDay,
  null,
);

type Dip = Answer<'GET /dips'>[number];

/**
 * The last time at which the hashrate was clearly lower, on whose side that was, and what it cost, all of them on
 * request; in the first day what a whole one brings. `follows`: other words stand before it.
 */
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
