/** The days a table shows, `?range=month` or `?from=2026-11-01&to=2026-11-20` in the URL. Days are UTC. */
import { serverTime } from '@pool/shared';
import type { Days, HistoryKind } from '../../../api/history';

export const PRESETS = ['days30', 'month', 'last-month', 'year', 'last-year', 'all'] as const;
export type Preset = (typeof PRESETS)[number];
export type Range = Days & { preset: Preset | null };

/** Default ranges: earnings come daily, payouts every few weeks or months. */
const DEFAULTS: Record<HistoryKind, Preset> = { earnings: 'days30', payouts: 'all' };

const DAY_MS = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
export const utcDay = (now = serverTime()): string => dayOf(now);

export function presetDays(preset: Preset, today: string): Days {
  const [year = 0, month = 0] = today.split('-').map(Number);
  switch (preset) {
    case 'days30':
      return { from: dayOf(Date.parse(today) - 29 * DAY_MS), to: today };
    case 'month':
      return { from: `${today.slice(0, 7)}-01`, to: today };
    case 'last-month':
      return { from: dayOf(Date.UTC(year, month - 2, 1)), to: dayOf(Date.UTC(year, month - 1, 0)) };
    case 'year':
      return { from: `${year}-01-01`, to: today };
    case 'last-year':
      return { from: `${year - 1}-01-01`, to: `${year - 1}-12-31` };
    case 'all':
      return {};
  }
}

/** The range in the URL; the tab's default when it is missing or invalid. */
export function rangeOf({ from, to, range }: Days & { range?: Preset }, kind: HistoryKind, today: string): Range {
  if (from && to && from <= to) return { preset: null, from, to };
  const preset = range ?? DEFAULTS[kind];
  return { preset, ...presetDays(preset, today) };
}
