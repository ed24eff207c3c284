import { useTranslation } from 'react-i18next';
import type { FarmEvent } from '../../api/worker-schemas';
import { useServiceQuery } from '../../react/queries';
import { useFormat, useNow } from '../core';

const REFETCH_MS = 60_000;
/** First part of the queries' keys. */
export const FARM_EVENTS = ['farmEvents'];

/** Events that are open, or ended within a day. */
export const useFarmEvents = () =>
  useServiceQuery(({ api, session: { account, algorithm }, ability }) => ({
    enabled: ability.can('read', 'workers'),
    queryKey: [...FARM_EVENTS, { account, algorithm }],
    queryFn: ({ signal }) => api('GET /farmEvents', { query: { algorithm, userName: account }, signal }),
    refetchInterval: REFETCH_MS,
  }));

/** The sentence that says an event, as its notification has it. Needs the texts of `events`. */
export function useEventWords(): (event: FarmEvent) => string {
  const { t } = useTranslation();
  const { clock, dayClock, hashrateText } = useFormat();
  const now = useNow();
  const moment = (at: number) => (now - at < 20 * 3600 ? clock(at) : dayClock(at));
  return ({ by, value, off, rigs, total, since, until, hashrate, satsPerHour, lostSat }) => {
    const sats = until === null ? satsPerHour : lostSat;
    const values = { context: sats == null ? 'place' : 'cost', place: t(`place.${by}`, { place: value }), total, sats };
    return until === null
      ? t('notification.workers_offline', { ...values, off, since: moment(since), hashrate: hashrateText(hashrate) })
      : t('notification.workers_recovered', {
          ...{ ...values, off: rigs - off, since: moment(until), minutes: Math.round((until - since) / 60) },
        });
  };
}
