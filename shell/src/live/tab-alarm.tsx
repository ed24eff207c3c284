import { useQueryClient } from '@pool/shared/query';
import { useWorkerCount } from '@pool/shared/remote';
import { useEffect } from 'react';
import { useSettingsStore } from '../settings/settings-context';
import { usePaused } from './pause';
import { SLOW_POLL_MS } from './use-freshness';

/** What the tab shows of a page that is not looked at: its title and its icon. */
const TAB_KEYS = [
  ['workers', 'count'],
  ['hashrate', 'live'],
];

const MARK =
  "<rect width='28' height='28' rx='6' fill='#ED4540'/><path d='M7.5 19.5v-9l6.5 5.5 6.5-5.5v9' fill='none' stroke='#fff' stroke-width='2.6' stroke-linecap='round' stroke-linejoin='round'/>";
const CROSS =
  "<circle cx='20' cy='20' r='8' fill='#0C0D10'/><path d='m16.500 16.500 7 7m0-7-7 7' stroke='#FF7D8A' stroke-width='3' stroke-linecap='round'/>";
const ALARM = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 28 28'>${MARK}${CROSS}</svg>`)}`;

/** A cross in the tab's icon while workers are offline, unless the setting `alarm` is off, in hidden tabs too. */
export function TabAlarm() {
  const queryClient = useQueryClient();
  const paused = usePaused();
  const { alarm } = useSettingsStore().chosen;
  const offline = useWorkerCount().data?.offline ?? 0;
  const rings = alarm && offline > 0;

  useEffect(() => {
    if (paused) return;
    const refresh = () => {
      if (!document.hidden) return;
      for (const queryKey of TAB_KEYS) void queryClient.refetchQueries({ queryKey, type: 'active' });
    };
    const timer = setInterval(refresh, SLOW_POLL_MS);
    return () => clearInterval(timer);
  }, [queryClient, paused]);

  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (!rings || !link) return;
    const usual = link.href;
    link.href = ALARM;
    return () => {
      link.href = usual;
    };
  }, [rings]);
  return null;
}
