import type { Answer } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Hint, useFormat } from '@pool/shared/ui/core';
import { useDips } from '../../../../api/dips';

type Dip = Answer<'GET /dips'>[number];

/** The last time at which the hashrate was clearly lower, on whose side that was, and what it cost; all of them on request. */
export function Dips() {
  const { data: dips = [] } = useDips();
  const [last, ...others] = dips;
  if (!last) return null;
  return (
    <>
      {' · '}
      {others.length > 0 ? (
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
        <InWords dip={last} />
      )}
    </>
  );
}

function InWords({ dip: { at, until, side, lostSat = 0 } }: { dip: Dip }) {
  const { t } = useTranslation();
  const { clock, duration, count } = useFormat();
  const what = t(`dashboard.dip.${side}`, { time: clock(at), duration: duration(until - at) });
  return lostSat > 0 ? t('dashboard.dip.cost', { what, sats: count(lostSat) }) : what;
}
