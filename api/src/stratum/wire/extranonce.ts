/**
 * The miner's extranonce never changes, whatever its upstream: one byte of its own, and up to four to roll. The
 * upstream's extranonce1 and the bytes of its extranonce2 that the miner does not roll (the slot) move into coinb1. So
 * a switch of upstream is a clean notify and nothing else.
 *
 *   upstream:  coinb1 | extranonce1 | extranonce2 ............ | coinb2
 *   miner:     coinb1 + extranonce1 + slot | own (1) | rolled  | coinb2
 */
export type Layout = {
  /** The miner's extranonce1, hexadecimal, one byte. */
  extranonce1: string;
  /** Bytes of the miner's extranonce2. */
  extranonce2Size: number;
};

const OWN_BYTES = 1;
const ROLLED_BYTES = 4;
/** A fast miner runs out of work with fewer bytes to roll. */
const MIN_ROLLED_BYTES = 2;

/** Layout for a miner that subscribes now. `upstreamSize`: smallest known extranonce2 size of the upstreams. */
export function layoutFor(upstreamSize: number | null): Layout {
  const rolled = Math.min(ROLLED_BYTES, (upstreamSize ?? OWN_BYTES + ROLLED_BYTES) - OWN_BYTES);
  return { extranonce1: '00', extranonce2Size: Math.max(MIN_ROLLED_BYTES, rolled) };
}

/**
 * The bytes between the upstream's extranonce1 and the miner's part; null when the layout does not fit. They count the
 * jobs, as far as there is room: work that an upstream sends again becomes other work, so that each hash belongs to one
 * job, and a miner that begins its extranonce2 anew repeats no share.
 */
export function slotFor(layout: Layout, upstreamSize: number, job = 0): string | null {
  const bytes = upstreamSize - OWN_BYTES - layout.extranonce2Size;
  if (bytes < 0) return null;
  return bytes === 0
    ? ''
    : job
        .toString(16)
        .padStart(2 * bytes, '0')
        .slice(-2 * bytes);
}

export const rewriteCoinb1 = (coinb1: string, upstreamExtranonce1: string, slot: string): string =>
  coinb1 + upstreamExtranonce1 + slot;

/** The extranonce2 to send upstream for the miner's. */
export const upstreamExtranonce2 = (slot: string, layout: Layout, extranonce2: string): string =>
  slot + layout.extranonce1 + extranonce2;
