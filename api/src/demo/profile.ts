/** The hashrate of each rig over time; history and live rigs both follow it, so that charts have no step. */
import { FLEET, type RigSpec } from './fleet';
import { chance, seedOf } from './random';

const HOUR = 3600;
const DAY = 86_400;

const BLACKOUTS = [
  { before: 10 * HOUR, lasts: 0.5 * HOUR },
  { before: 33 * DAY, lasts: 5 * HOUR },
];
/**
 * Times without any share (Unix seconds), because no upstream pool worked: the charts show a gap. They begin with an
 * hour, so that no step of a chart has a part of them: a step is made of samples, which do not know its parts.
 */
export const blackouts = (start: number): { from: number; until: number }[] =>
  BLACKOUTS.map(({ before, lasts }) => ({ from: hourOf(start - before), until: hourOf(start - before) + lasts }));
const hourOf = (t: number): number => Math.floor(t / HOUR) * HOUR;
/** Times at which one account runs at a part of its hashrate. */
const LIMITED = [
  { account: 'demo', before: 6 * DAY, lasts: 7 * HOUR, part: 0.72 },
  { account: 'scrypt-farm', before: 19 * DAY, lasts: 16 * HOUR, part: 0.6 },
];

/** Rigs with behaviour `low`: nine hours of every 36 at half the hashrate, begun hours before the demo's start. */
const LOW = { period: 36 * HOUR, lasts: 9 * HOUR, part: 0.5 };
/** Rigs with behaviour `flaky`: off for `lasts` of every `period`. */
const FLAKY = { period: 11 * HOUR, lasts: 1.5 * HOUR };

/** Properties of a rig that are random. */
const ABOUT = { incident: 1, breaks: 2, from: 3, lasts: 4, own: 5, drift: 6, stale: 7, rejected: 8 };
const SEEDS = new Map(FLEET.map((rig) => [rig, seedOf(`${rig.account}.${rig.worker}`)]));
const luck = (rig: RigSpec, about: keyof typeof ABOUT, time = 0): number =>
  chance(SEEDS.get(rig) ?? 0, ABOUT[about], time);

/** Seconds into the current period; at the demo's start this is `lead`. */
const phase = (t: number, start: number, period: number, lead: number): number =>
  (((t - start + lead) % period) + period) % period;

function incident(rig: RigSpec, t: number, start: number): number {
  const own = luck(rig, 'incident');
  if (rig.behaviour === 'low' && phase(t, start, LOW.period, (3 + 2 * own) * HOUR) < LOW.lasts) return LOW.part;
  if (rig.behaviour === 'flaky' && phase(t, start, FLAKY.period, (0.2 + 0.6 * own) * HOUR) < FLAKY.lasts) return 0;
  // Every rig fails about once in six weeks, for one to three hours.
  const day = Math.floor(t / DAY);
  if (luck(rig, 'breaks', day) < 0.024) {
    const from = luck(rig, 'from', day) * 20 * HOUR;
    const lasts = (0.4 + 2.5 * luck(rig, 'lasts', day)) * HOUR;
    if (t - day * DAY >= from && t - day * DAY < from + lasts && (t < start - DAY || t > start + HOUR)) return 0;
  }
  return 1;
}

/** Part of the nominal hashrate at `t`; 0 when switched off. `start`: when the demo was seeded. Both Unix seconds. */
export function effort(rig: RigSpec, t: number, start: number): number {
  if (t < start - rig.joined * DAY) return 0;
  if (rig.left !== undefined && t >= start - rig.left * DAY) return 0;
  if (BLACKOUTS.some(({ before, lasts }) => t >= hourOf(start - before) && t < hourOf(start - before) + lasts))
    return 0;
  const limit = LIMITED.find(
    ({ account, before, lasts }) => account === rig.account && t >= start - before && t < start - before + lasts,
  );
  // Rigs slow down a little in the heat of the afternoon, and no two are equal.
  const heat = 1 - 0.012 * Math.sin((2 * Math.PI * (t - 9 * HOUR)) / DAY);
  const own = 0.97 + 0.06 * luck(rig, 'own');
  const drift = 1 + 0.02 * (luck(rig, 'drift', Math.floor(t / (6 * HOUR))) - 0.5);
  return incident(rig, t, start) * (limit?.part ?? 1) * heat * own * drift;
}

/** Parts (0 to 1) of a rig's shares that are stale or rejected. */
export const losses = (rig: RigSpec): { stale: number; rejected: number } =>
  rig.behaviour === 'rejects'
    ? { stale: 0.006, rejected: 0.031 }
    : { stale: 0.0025 + 0.002 * luck(rig, 'stale'), rejected: 0.0012 + 0.0016 * luck(rig, 'rejected') };
