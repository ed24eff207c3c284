/** How many connections the process's limit of open files allows: of pages, and of miners. */
import { readFileSync } from 'node:fs';

/** Each miner takes a socket, and a small part of one to its upstream. */
const PER_MINER = 1.1;
/** Files that databases, the journal and the program need. */
const RESERVED = 128;
/** Pages and calls have this part of all, so that a flood of them leaves miners theirs. */
const PAGES_PART = 8;
const LEAST_PAGES = 384;
const LEAST_MINERS = 16;
/** Where the limit cannot be read: on systems without /proc. */
const DEFAULT = 20_480;

const readLimits = (): string => {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
};

/** `limits`: as in /proc/self/limits. Node has raised the soft limit to the hard one. */
export function connectionsAllowed(limits = readLimits()): { pages: number; miners: number } {
  const [, soft = String(DEFAULT)] = /^Max open files\s+(\S+)/m.exec(limits) ?? [];
  if (soft === 'unlimited') return { pages: Number.MAX_SAFE_INTEGER, miners: Number.MAX_SAFE_INTEGER };
  const pages = Math.max(LEAST_PAGES, Math.floor(Number(soft) / PAGES_PART));
  return { pages, miners: Math.max(LEAST_MINERS, Math.floor((Number(soft) - RESERVED - pages) / PER_MINER)) };
}
