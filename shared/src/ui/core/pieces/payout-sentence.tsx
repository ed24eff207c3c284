import { useTranslation } from 'react-i18next';
import type { Answer } from '../../../api/client';
import { useFormat } from '../format/context';
import { formatBitcoin } from '../format/numbers';
import { formatClock, formatDay } from '../format/time';

type Balance = Answer<'GET /payment/'>;

const DAY_MS = 86_400_000;

const earnsNow = ({ todayEstimateSat, yesterdaySat }: Balance) => todayEstimateSat > 0 || yesterdaySat > 0;

function wordOf(balance: Balance) {
  const { at, reason } = balance.nextPayout;
  if (reason === 'address_hold') return at ? 'address_hold_until' : reason;
  if (reason === null) return at ? 'dated' : 'queued';
  if (reason !== 'below_threshold') return reason;
  if (at) return 'reaches';
  return earnsNow(balance) ? 'far' : 'idle';
}

/**
 * A sentence with the time of the next payout, or the reason why there is none. Payouts follow UTC days in any time
 * zone of the charts.
 */
export function PayoutSentence({ balance }: { balance: Balance }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { at } = balance.nextPayout;
  const day = (date: Date) => formatDay(language, 'utc', date);
  const threshold = formatBitcoin(language, balance.thresholdSat, 'set');
  // The balance reaches the threshold with the day that ends before the payout.
  const times = at && {
    day: day(new Date(at)),
    time: formatClock(language, 'utc', at),
    closing: day(new Date(Date.parse(at) - DAY_MS)),
  };
  const word = wordOf(balance);
  const sentence = t(`ui.payout.${word}`, { threshold, ...times });
  if (earnsNow(balance) || (word !== 'idle' && word !== 'no_address')) return sentence;
  const none = balance.unpaidSat + balance.paidTotalSat > 0 ? 'noneNow' : 'noneYet';
  return `${t(`ui.payout.${none}`)} ${sentence}`;
}
