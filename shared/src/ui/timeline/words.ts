import { useTranslation } from 'react-i18next';
import type { TimelineEntry } from '../../api/timeline-schemas';
import { ALGORITHMS } from '../../domain';
import { useFormat } from '../core';
import { useEventWords } from '../waiting/use-farm-events';

/** The sentence of an entry, without its money. Needs the texts of `timeline` and `events`. */
export function useTimelineWords(): (entry: TimelineEntry) => string {
  const { t } = useTranslation();
  const { dayClock, duration, percent, price } = useFormat();
  const wordsOf = useEventWords();
  return (entry) => {
    switch (entry.kind) {
      case 'outage': {
        const { at, until, why } = entry;
        return until === null
          ? t(`timeline.outage.${why}`, { context: 'now' })
          : t(`timeline.outage.${why}`, { duration: duration(until - at) });
      }
      case 'off':
        return wordsOf({ ...entry.event, satsPerHour: undefined, lostSat: undefined });
      case 'dip':
        return t(`timeline.dip.${entry.side}`, { duration: duration(entry.until - entry.at) });
      case 'switch': {
        const { from, to, why } = entry;
        const what = to === null ? 'lost' : from === null ? 'first' : 'both';
        return t(`timeline.switch.${what}`, { from, to, why: t(`timeline.why.${why}`) });
      }
      case 'price':
        return t('timeline.price', {
          before: price(entry.before),
          price: price(entry.priceBtc),
          unit: ALGORITHMS[entry.algorithm].priceUnit,
        });
      case 'payout':
        return t('timeline.payout');
      case 'address': {
        const { change, address, heldUntil } = entry;
        const held = heldUntil === null ? {} : { context: 'held', until: dayClock(heldUntil) };
        return t(`timeline.address.${change}`, { address, ...held });
      }
      case 'member':
        return t(`timeline.member.${entry.change}`, {
          name: entry.name,
          role: entry.role && t(`timeline.role.${entry.role}`),
        });
      case 'worker': {
        const { what, value } = entry;
        if (what === 'group' && value === null) return t('timeline.worker.ungroup');
        return t(`timeline.worker.${what}`, { value: typeof value === 'number' ? percent(value, 0) : value });
      }
    }
  };
}

/** An entry's money: what was paid in bitcoin, what it cost in satoshis, which is an estimate. */
export function useTimelineMoney(): (entry: Pick<TimelineEntry, 'sat'>) => string | null {
  const { btc, isolated, sats } = useFormat();
  return ({ sat = 0 }) => (sat > 0 ? isolated(`${btc(sat)} BTC`) : sat < 0 ? isolated(`≈ −${sats(-sat)}`) : null);
}
