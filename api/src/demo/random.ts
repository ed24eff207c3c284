/** Deterministic random numbers: they follow from names, so that history and live rigs agree without shared state. */

// A local binding: these functions run millions of times.
const { imul } = Math;

function mixed(h: number): number {
  h = imul(h ^ (h >>> 16), 0x85ebca6b);
  h = imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** FNV hash of a text. */
export function seedOf(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) h = imul(h ^ text.charCodeAt(i), 0x01000193);
  return mixed(h);
}

/** A number in [0, 1) determined by a seed, a property and a time. */
export const chance = (seed: number, about: number, time = 0): number =>
  (mixed(imul(mixed(seed ^ imul(about, 0x9e3779b1)), 31) ^ mixed(time)) >>> 0) / 2 ** 32;

/** A stream of numbers in [0, 1) (mulberry32). */
export function stream(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = imul(state ^ (state >>> 15), state | 1);
    t ^= t + imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A Poisson-distributed number with the given mean. */
export function poisson(mean: number, random: () => number): number {
  if (mean <= 0) return 0;
  if (mean > 40) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.max(0, Math.round(mean + normal * Math.sqrt(mean)));
  }
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count += 1;
  return count;
}
