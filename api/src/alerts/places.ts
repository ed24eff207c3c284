/**
 * Names where workers went off together: the places that describe who did in the fewest bits. Without a place, that is
 * the number of ways to choose the workers that are off among all; a place costs its own name, and saves what no longer
 * has to be said of each of its workers. A place that chance alone could explain saves nothing, so it is not named.
 */

/** What a place can be, the plainest word first: of two that hold the same workers the earlier one is named. */
const PLACE_KINDS = ['group', 'account', 'address', 'upstream', 'model', 'name'] as const;
type Kind = (typeof PLACE_KINDS)[number];
/** `all`: every worker there is. `value` of a `name`: the common beginning. */
type Where = { by: Kind | 'all'; value: string };

/** `off`: when it went off, Unix seconds; null: it did not. An attribute that is not known is left out. */
export type Rig = { id: number; name: string; off: number | null } & Partial<
  Record<Exclude<Kind, 'name'>, string | null>
>;
/** `rigs`: those of the place that went off. `total`: all of it. */
export type Place<One extends Rig = Rig> = Where & { total: number; rigs: One[] };

/** Workers that went off further apart are not one fault, nor are those of a longer time than `MAX_S`. */
const APART_S = 240;
const MAX_S = 900;
/** Fewer workers, a smaller part of it, or one in so many of those that went off with them, are no place. */
const LEAST = 3;
const LEAST_PART = 1 / 3;
const LEAST_OF_ALL = 1 / 50;
/** The most places that one event may name; workers spread over more are said to be in several places. */
const MOST = 5;
/** Nearly all workers are all of them, whatever else they have in common. */
const NEARLY_ALL = 0.9;
/** How many are tried as the first: one that holds two others may save most alone, and less than both. */
const WIDE = 3;
/** A place has to save so many bits, and one of a less plain word this many more. */
const LEAST_BITS = 4;
const PLAINER_BITS = 0.5;

const isDigit = (text: string, at: number): boolean => text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57;
const isLetter = (text: string, at: number): boolean => {
  const lower = text.charCodeAt(at) | 32;
  return lower >= 97 && lower <= 122;
};

/** Whether a person would cut the name there: not within a word, nor within a number of less than three digits. */
function isCut(name: string, at: number): boolean {
  if (!isDigit(name, at - 1) || !isDigit(name, at)) return !isLetter(name, at - 1) || !isLetter(name, at);
  let from = at;
  let to = at;
  while (isDigit(name, from - 1)) from -= 1;
  while (isDigit(name, to)) to += 1;
  return to - from > 2;
}

/** `D-03-17` is in `D`, `D-`, `D-03` and `D-03-`, `D0317` in `D`, `D0`, `D03` and `D031`. */
export function beginnings(name: string): string[] {
  const found: string[] = [];
  for (let at = 1; at < name.length; at += 1) if (isCut(name, at)) found.push(name.slice(0, at));
  return found;
}

/** log2 of the factorials up to `n`. */
function factorials(n: number): Float64Array {
  const table = new Float64Array(n + 1);
  for (let i = 2; i <= n; i += 1) table[i] = table[i - 1]! + Math.log2(i);
  return table;
}

/** Workers by the time they went off: each part is of one moment. */
function moments<One extends Rig>(off: readonly One[]): One[][] {
  const parts: One[][] = [];
  const at = (rig: Rig | undefined): number => rig?.off ?? -Infinity;
  for (const rig of off.toSorted((a, b) => at(a) - at(b))) {
    const part = parts.at(-1);
    if (part && at(rig) - at(part.at(-1)) <= APART_S && at(rig) - at(part[0]) <= MAX_S) part.push(rig);
    else parts.push([rig]);
  }
  return parts;
}

/** `rigs`: numbers of its workers. `price`: bits. */
type Candidate = { by: Kind; value: string; rigs: number[]; price: number };

/** Places with at least `least` of the workers that went off. */
function candidatesOf(rigs: readonly Rig[], off: readonly Rig[], least: number): Candidate[] {
  return PLACE_KINDS.flatMap((by, plain) => {
    const counts = new Map<string, number>();
    const add = (value: string): unknown => counts.set(value, (counts.get(value) ?? 0) + 1);
    for (const rig of off)
      if (by === 'name') beginnings(rig.name).forEach(add);
      else if (rig[by] != null) add(rig[by]);
    const values = [...counts].filter(([, count]) => count >= least).map(([value]) => value);
    if (values.length === 0) return [];
    const all = by === 'name' ? rigs.length : Math.max(2, new Set(rigs.map((rig) => rig[by])).size);
    const price = LEAST_BITS + Math.log2(all) + plain * PLAINER_BITS;
    const places = new Map(values.map((value) => [value, { by, value, rigs: [] as number[], price }]));
    const lengths = [...new Set(values.map(({ length }) => length))];
    rigs.forEach((rig, at) => {
      if (by !== 'name') places.get(rig[by] ?? '')?.rigs.push(at);
      else
        for (const length of lengths) if (isCut(rig.name, length)) places.get(rig.name.slice(0, length))?.rigs.push(at);
    });
    return [...places.values()];
  });
}

function placesOfMoment<One extends Rig>(rigs: readonly One[], off: readonly One[]): Place<One>[] {
  const all: Place<One> = { by: 'all', value: '', total: rigs.length, rigs: [...off] };
  if (off.length < LEAST) return [];
  if (off.length >= rigs.length * NEARLY_ALL) return [all];
  const wentOff = new Set<Rig>(off);
  const gone = Uint8Array.from(rigs, (rig) => Number(wentOff.has(rig)));
  const sumOf = (place: Candidate, of: (at: number) => number): number => {
    let sum = 0;
    for (const at of place.rigs) sum += of(at);
    return sum;
  };
  const offOf = (place: Candidate): number => sumOf(place, (at) => gone[at]!);
  // The same workers in other words are one place, of the plainest word.
  const words = new Map<string, Candidate>();
  for (const place of candidatesOf(rigs, off, Math.max(LEAST, off.length * LEAST_OF_ALL))) {
    const key = `${place.rigs.length} ${place.rigs[0]} ${sumOf(place, (at) => at)}`;
    if (!words.has(key) && offOf(place) >= place.rigs.length * LEAST_PART) words.set(key, place);
  }
  const candidates = [...words.values()];
  const placesOfRig: number[][] = rigs.map(() => []);
  candidates.forEach((place, number) => {
    for (const at of place.rigs) placesOfRig[at]!.push(number);
  });
  const log2 = factorials(rigs.length);
  /** Bits that say which `k` of `n` it is. */
  const bits = (n: number, k: number): number => log2[n]! - log2[k]! - log2[n - k]!;

  /** Workers that no chosen place holds: by candidate, and of all. */
  type Left = { taken: Uint8Array; total: Int32Array; off: Int32Array; n: number; k: number };
  const start: Left = {
    taken: new Uint8Array(rigs.length),
    total: Int32Array.from(candidates, (place) => place.rigs.length),
    off: Int32Array.from(candidates, offOf),
    n: rigs.length,
    k: off.length,
  };
  function without(left: Left, place: Candidate): Left {
    const next = { ...left, taken: left.taken.slice(), total: left.total.slice(), off: left.off.slice() };
    for (const at of place.rigs) {
      if (next.taken[at]) continue;
      next.taken[at] = 1;
      const isOff = gone[at]!;
      next.n -= 1;
      next.k -= isOff;
      for (const number of placesOfRig[at]!) {
        next.total[number]! -= 1;
        next.off[number]! -= isOff;
      }
    }
    return next;
  }

  /** The places that together save most; after the first, the best one by one. */
  function search(left: Left, wide: number, most = MOST): { places: Place<One>[]; gain: number } {
    const { n, k } = left;
    if (most < 0) return { places: [], gain: 0 };
    const whole = bits(n, k);
    const best = new Map<Kind, { place: Candidate; gain: number; total: number }>();
    candidates.forEach((place, number) => {
      const total = left.total[number]!;
      const count = left.off[number]!;
      // Where fewer are off than elsewhere is not where it was.
      if (count < LEAST || count < total * LEAST_PART || count * n <= k * total) return;
      // How many of it are off is said too.
      const price = place.price + Math.log2(total) / 2;
      const gain = whole - bits(total, count) - bits(n - total, k - count) - price;
      if (gain > (best.get(place.by)?.gain ?? 0)) best.set(place.by, { place, gain, total });
    });
    const tried = [...best.values()].sort((a, b) => b.gain - a.gain).slice(0, wide);
    return tried
      .map(({ place, gain, total }) => {
        const named: Place<One> = {
          by: place.by,
          value: place.value,
          total,
          rigs: place.rigs.flatMap((at) => (!left.taken[at] && gone[at] ? [rigs[at]!] : [])),
        };
        const rest = search(without(left, place), 1, most - 1);
        return { places: [named, ...rest.places], gain: gain + rest.gain };
      })
      .reduce((most, one) => (one.gain > most.gain ? one : most), { places: [] as Place<One>[], gain: 0 });
  }
  const { places } = search(start, WIDE);
  const isNone = places.length === 0 || places.length > MOST;
  if (isNone && off.length >= rigs.length * LEAST_PART) return [all];
  return places.slice(0, MOST);
}

/** `rigs`: all that mine or mined until now, of one owner and algorithm. Workers of no place are in none of the answer. */
export const placesOf = <One extends Rig>(rigs: readonly One[]): Place<One>[] =>
  moments(rigs.filter(({ off }) => off !== null)).flatMap((off) => placesOfMoment(rigs, off));
