/** How many miners the process's limit of open files allows: each takes a socket, and one to its upstream. */
import { readFileSync } from 'node:fs';

const PER_MINER = 2;
/** For pages, calls, databases, the journal and the files of the program. */
const RESERVED = 512;
/** Where the limit cannot be read: on systems without /proc. */
const DEFAULT = 10_000;
const LEAST = 16;

const readLimits = (): string => {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
};

/** `limits`: as in /proc/self/limits. Node has raised the soft limit to the hard one. */
export function connectionsAllowed(limits = readLimits()): number {
  const [, soft] = /^Max open files\s+(\S+)/m.exec(limits) ?? [];
  if (soft === undefined) return DEFAULT;
  if (soft === 'unlimited') return Number.MAX_SAFE_INTEGER;
  return Math.max(LEAST, Math.floor((Number(soft) - RESERVED) / PER_MINER));
}
