/** Version rolling (BIP 310), known as AsicBoost. Masks are unsigned 32-bit numbers. */
import { hex32, isHex } from './protocol';

export const ROLLING_MASK = 0x1fffe000;
export const NO_MASK = 0;

export type ConfigureRequest = { extensions: string[]; wanted: number };

/** Parses a miner's `mining.configure`; null when malformed. Without a mask the miner wants all bits. */
export function parseConfigure(params: unknown[]): ConfigureRequest | null {
  const [list, options] = params;
  if (!Array.isArray(list) || list.length > 16) return null;
  const extensions = list.filter((name): name is string => typeof name === 'string' && name.length <= 40);
  const mask =
    typeof options === 'object' && options !== null
      ? (options as Record<string, unknown>)['version-rolling.mask']
      : undefined;
  if (mask !== undefined && !isHex(mask, 4)) return null;
  return { extensions, wanted: mask === undefined ? 0xffffffff : parseInt(mask, 16) };
}

/** Answer to `mining.configure`: every requested extension is answered, only version rolling can be granted. */
export function configureAnswer(extensions: string[], mask: number): Record<string, boolean | string> {
  const answer: Record<string, boolean | string> = {};
  for (const name of extensions) {
    answer[name] = name === 'version-rolling' && mask !== NO_MASK;
    if (name === 'version-rolling' && mask !== NO_MASK) answer['version-rolling.mask'] = hex32(mask);
  }
  return answer;
}

/** The mask in an upstream's answer to `mining.configure`; NO_MASK when refused. */
export function grantedMask(result: unknown): number {
  if (typeof result !== 'object' || result === null) return NO_MASK;
  const answer = result as Record<string, unknown>;
  const mask = answer['version-rolling.mask'];
  return answer['version-rolling'] === true && isHex(mask, 4) ? (parseInt(mask, 16) & ROLLING_MASK) >>> 0 : NO_MASK;
}

export const intersect = (...masks: number[]): number => masks.reduce((a, b) => a & b, 0xffffffff) >>> 0;

/** The version with the lowest bits of `count` in the place of the bits of the mask. */
export function numbered(version: number, mask: number, count: number): number {
  let [numberedVersion, rest] = [version & ~mask, count];
  for (let bit = 0; bit < 32; bit += 1) {
    if (((mask >>> bit) & 1) === 0) continue;
    numberedVersion |= (rest & 1) << bit;
    rest >>>= 1;
  }
  return numberedVersion >>> 0;
}

/** Whether the bits a miner sends stay inside its mask. */
export const bitsAllowed = (bits: number, mask: number): boolean => (bits & ~mask) === 0;

/** The block version of a share: the job's, with the miner's bits inside its mask. */
export const minedVersion = (
  { version, versionMask }: { version: number; versionMask: number },
  bits: number | null,
): number => (bits === null ? version : ((version & ~versionMask) | bits) >>> 0);
