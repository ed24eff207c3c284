/**
 * How hard each machine works at any time, before the demo's start and after. History is drawn from it and the live
 * rigs follow it, so one goes on where the other ends.
 */
import { FLEET, type RigSpec } from './fleet';
import { chance, seedOf } from './random';

const HOUR = 3600;
const DAY = 86_400;

/** Whole farms without power or network, seconds before the demo's start: nothing arrives, the charts show a gap. */
const BLACKOUTS = [
  { before: 10.5 * HOUR, lasts: 0.5 * HOUR },
  { before: 33 * DAY, lasts: 5 * HOUR },
];
/** Power limited in one account: part of the hashrate for a while. */
const LIMITED = [
  { account: 'demo', before: 6 * DAY, lasts: 7 * HOUR, part: 0.72 },
  { account: 'scrypt-farm', before: 19 * DAY, lasts: 16 * HOUR, part: 0.6 },
];

/** Machines that are low: fine for most of a day and a half, then weak for nine hours; they were last fine some hours before the start. */
const LOW = { period: 36 * HOUR, lasts: 9 * HOUR, part: 0.5 };
/** Machines that drop out now and then. */
const FLAKY = { period: 11 * HOUR, lasts: 1.5 * HOUR };

/** What chance decides about a machine. */
const ABOUT = { incident: 1, breaks: 2, from: 3, lasts: 4, own: 5, drift: 6, stale: 7, rejected: 8 };
const SEEDS = new Map(FLEET.map((rig) => [rig, seedOf(`${rig.account}.${rig.worker}`)]));
const luck = (rig: RigSpec, about: keyof typeof ABOUT, time = 0): number =>
  chance(SEEDS.get(rig) ?? 0, ABOUT[about], time);

/** Where in its period a machine is: `lead` seconds into the bad part at the demo's start. */
const phase = (t: number, start: number, period: number, lead: number): number =>
  (((t - start + lead) % period) + period) % period;

function incident(rig: RigSpec, t: number, start: number): number {
  const own = luck(rig, 'incident');
  if (rig.behaviour === 'low' && phase(t, start, LOW.period, (3 + 2 * own) * HOUR) < LOW.lasts) return LOW.part;
  if (rig.behaviour === 'flaky' && phase(t, start, FLAKY.period, (0.2 + 0.6 * own) * HOUR) < FLAKY.lasts) return 0;
  // Everything breaks now and then: once in about six weeks, for some of a shift.
  const day = Math.floor(t / DAY);
  if (luck(rig, 'breaks', day) < 0.024) {
    const from = luck(rig, 'from', day) * 20 * HOUR;
    const lasts = (0.4 + 2.5 * luck(rig, 'lasts', day)) * HOUR;
    if (t - day * DAY >= from && t - day * DAY < from + lasts && (t < start - DAY || t > start + HOUR)) return 0;
  }
  return 1;
}

/**
 * Part of the nominal hashrate at `t`; 0: switched off. `start`: when the demo was seeded. Both Unix seconds.
 */
export function effort(rig: RigSpec, t: number, start: number): number {
  if (t < start - rig.joined * DAY) return 0;
  if (rig.left !== undefined && t >= start - rig.left * DAY) return 0;
  if (BLACKOUTS.some(({ before, lasts }) => t >= start - before && t < start - before + lasts)) return 0;
  const limit = LIMITED.find(
    ({ account, before, lasts }) => account === rig.account && t >= start - before && t < start - before + lasts,
  );
  // Warmer in the afternoon: machines slow down a little. And no two are quite alike.
  const heat = 1 - 0.012 * Math.sin((2 * Math.PI * (t - 9 * HOUR)) / DAY);
  const own = 0.97 + 0.06 * luck(rig, 'own');
  const drift = 1 + 0.02 * (luck(rig, 'drift', Math.floor(t / (6 * HOUR))) - 0.5);
  return incident(rig, t, start) * (limit?.part ?? 1) * heat * own * drift;
}

/** Parts of a machine's shares that come late or are wrong. */
export const losses = (rig: RigSpec): { stale: number; rejected: number } =>
  rig.behaviour === 'rejects'
    ? { stale: 0.006, rejected: 0.031 }
    : { stale: 0.0025 + 0.002 * luck(rig, 'stale'), rejected: 0.0012 + 0.0016 * luck(rig, 'rejected') };
