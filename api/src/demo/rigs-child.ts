/** The process of the demo's rigs. It ends when its parent ends, also after kill -9. */
import type { AlgorithmName } from '@pool/shared/domain';
import { FLEET } from './fleet';
import { Rig } from './rig';

/** Rigs of an algorithm without a port do not start. */
export type RigsArguments = { ports: Partial<Record<AlgorithmName, number>>; start: number };

const { ports, start } = JSON.parse(process.argv[2] ?? '') as RigsArguments;
const TURN_MS = 500;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.once('disconnect', () => process.exit(0));
// A parent that ended while this file was loading sends no event.
if (!process.connected) process.exit(0);

const rigs = FLEET.flatMap((spec) => {
  const port = ports[spec.algorithm];
  return port ? [new Rig(spec, port, start)] : [];
});
let last = Date.now();
let next = 0;
// Rigs take turns in slices, so that the load is even.
const SLICES = 10;
const since = new Array<number>(SLICES).fill(last);
setInterval(() => {
  const now = Date.now();
  const slice = next++ % SLICES;
  const seconds = Math.min(5, (now - (since[slice] ?? last)) / 1000);
  since[slice] = now;
  last = now;
  for (let i = slice; i < rigs.length; i += SLICES) rigs[i]?.work(seconds, now);
}, TURN_MS / SLICES);
