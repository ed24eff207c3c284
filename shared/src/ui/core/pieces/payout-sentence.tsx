import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Answer } from '../../../api/client';
import { useIsOfAll, useServices } from '../../../react/services';
import { accountPath } from '../../../routes/shell-pages';
import { useFormat } from '../format/context';
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
  if (balance.paceSat > 0) return 'far';
  if (earnsNow(balance)) return 'idle';
  return balance.unpaidSat + balance.paidTotalSat > 0 ? 'noneNow' : 'noneYet';
}

/** Says when the next payout is, or what keeps it back and how to change that. Payouts follow UTC days. */
export function PayoutSentence({ balance }: { balance: Balance }) {
  const { t } = useTranslation();
  const { language, span, btc } = useFormat();
  const { pages, ability } = useServices();
  const settings = pages['payments.settings'];
  const { at, sooner } = balance.nextPayout;
  const day = (date: Date) => formatDay(language, 'utc', date);
  // The balance reaches the threshold with the day that ends before the payout.
  const times = at && {
    day: day(new Date(at)),
    time: formatClock(language, 'utc', at),
    closing: day(new Date(Date.parse(at) - DAY_MS)),
  };
  const isOfAll = useIsOfAll();
  const word = isOfAll ? 'each' : wordOf(balance);
  const days = (balance.thresholdSat - balance.unpaidSat) / balance.paceSat;
  const sentence = t(`ui.payout.${word}`, { span: span(days), ...times });
  const isOffered = sooner && ability.can('manage', 'wallet');
  const isToDo = word === 'far' || word === 'no_address' || word === 'paused';
  const path = isOfAll
    ? ability.can('read', 'account') && accountPath('sub-accounts')
    : (isOffered || isToDo) && settings;
  if (!path) return <span>{sentence}</span>;
  return (
    <span>
      {sentence}{' '}
      {isOffered ? (
        <Link to={`${path}&threshold=${sooner.thresholdSat}`}>
          {t('ui.payout.sooner', { day: day(new Date(sooner.at)), amount: btc(sooner.thresholdSat, 'set') })}
        </Link>
      ) : (
        <Link to={path}>{t(`ui.payout.do.${word}`)}</Link>
      )}
    </span>
  );
}
