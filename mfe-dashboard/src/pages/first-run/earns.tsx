import type { Answer } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { poolStatisticsQuery, useBalance, useServices } from '@pool/shared/remote';
import { Dot, formatDay, useFormat } from '@pool/shared/ui/core';
import { estimateOf } from './estimate';

type EarnsProps = {
  hashrate: number;
  /** How long it was measured, seconds, said in a line after other words; undefined: it is the usual one of such machines. */
  measured?: number;
  now: number;
};

/** What a hashrate earns a day, and when that is first paid out; nothing where nobody has set a price. */
export function Earns({ hashrate, measured, now }: EarnsProps) {
  const { t } = useTranslation();
  const { api, session } = useServices();
  const { btc, duration, hashrateText, language } = useFormat();
  const pool = useQuery(poolStatisticsQuery(api)).data?.find(({ algo }) => algo === session.algorithm);
  const balance = useBalance().data;
  if (!pool?.priceSet || !balance) return null;
  const { daySat, payoutAt } = estimateOf(session.algorithm, hashrate, pool, balance, now);
  if (daySat === 0) return null;
  const { at } = balance.nextPayout;
  // What the server says of it counts.
  const paidAt = at ? Date.parse(at) : payoutAt && payoutAt * 1000;
  const facts = { hashrate: hashrateText(hashrate), amount: btc(daySat) };
  const sentences = [
    measured === undefined
      ? t('dashboard.firstRun.earns', facts)
      : t('dashboard.firstRun.measured', { ...facts, time: duration(Math.max(60, measured), 2) }),
    ...(paidAt !== null && balance.paidTotalSat === 0
      ? [t('dashboard.firstRun.paid', { day: formatDay(language, 'utc', new Date(paidAt), true) })]
      : []),
  ];
  return (
    <span>
      {measured !== undefined && <Dot />}
      <span>{sentences.join(' ')}</span>
    </span>
  );
}

export type FirstDayProps = Pick<Answer<'GET /proxyLiveHashchart/'>, 'current' | 'at'>;

/** Earnings of a whole day, on the dashboard until an account has mined for one. */
export const FirstDay = ({ current: { h24, minedSince = 0 }, at }: FirstDayProps) => (
  <Earns hashrate={h24} measured={at - minedSince} now={at} />
);
