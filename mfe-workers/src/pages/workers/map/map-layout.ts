/** Where each worker's cell is: halls side by side as blocks, their workers by name. Pure functions. */
import type { Worker } from '@pool/shared';
import { groupsOf } from '../list/group-names';
import { expectedOf, nowOf } from '../list/losses';

/** How much of what is expected a worker makes: `some` below `LITTLE` of it, `most` below `ALL`. */
export const CELLS = ['off', 'some', 'most', 'all', 'inactive'] as const;
export type Cell = (typeof CELLS)[number];
const LITTLE = 0.5;
const ALL = 0.9;

/** Part of its usual hour that a worker makes now; null for one that is expected to make nothing. */
export function shareOf(worker: Worker): number | null {
  const expected = expectedOf(worker);
  return expected > 0 ? nowOf(worker) / expected : null;
}

export function cellOf(worker: Worker): Cell {
  const share = shareOf(worker);
  if (worker.state === 'inactive') return 'inactive';
  if (worker.state === 'offline' || share === null || share === 0) return 'off';
  return share < LITTLE ? 'some' : share < ALL ? 'most' : 'all';
}

/** `name` null: the workers of no group. */
export type Hall = { name: string | null; workers: Worker[] };

/** Halls by name with their workers in the order of `workers`; those of no group are last. */
export function hallsOf(workers: readonly Worker[]): Hall[] {
  const halls = new Map<string | null, Worker[]>(groupsOf(workers).map((name) => [name, []]));
  for (const worker of workers) {
    const hall = halls.get(worker.group);
    if (hall) hall.push(worker);
    else halls.set(worker.group, [worker]);
  }
  return [...halls].map(([name, all]) => ({ name, workers: all }));
}

/** `from`: number of its first worker. `x`, `y`: of its first cell, px. */
type Block = { hall: Hall; from: number; columns: number; x: number; y: number };
export type Layout = { blocks: Block[]; step: number; height: number };

export const LABEL = 22;
const GAP = 16;
const NARROWEST = 88;
/** Workers up to which a cell is so wide, its space included. */
const STEPS = [
  [300, 22],
  [1000, 15],
  [3000, 11],
  [Infinity, 8],
] as const;

export function layoutOf(halls: readonly Hall[], width: number): Layout {
  const count = halls.reduce((sum, { workers }) => sum + workers.length, 0);
  const [, wide] = STEPS.find(([most]) => count <= most) ?? STEPS[3];
  // A single hall fills the width.
  const step = halls.length === 1 ? Math.max(wide, Math.min(24, Math.floor(width / Math.sqrt(count * 1.6)))) : wide;
  const most = Math.max(1, Math.floor(width / step));
  const blocks: Block[] = [];
  let [from, x, y, tallest] = [0, 0, 0, 0];
  for (const hall of halls) {
    const columns = Math.min(most, Math.ceil(Math.sqrt(hall.workers.length * 1.6)));
    const own = Math.max(NARROWEST, columns * step);
    if (x > 0 && x + own > width) [x, y, tallest] = [0, y + tallest + GAP, 0];
    blocks.push({ hall, from, columns, x, y: y + LABEL });
    from += hall.workers.length;
    x += own + GAP;
    tallest = Math.max(tallest, LABEL + Math.ceil(hall.workers.length / columns) * step);
  }
  return { blocks, step, height: y + tallest };
}

/** The worker whose cell is at a point; undefined between cells. */
export function workerAt({ blocks, step }: Layout, x: number, y: number): Worker | undefined {
  for (const { hall, columns, ...block } of blocks) {
    const [column, row] = [Math.floor((x - block.x) / step), Math.floor((y - block.y) / step)];
    if (column >= 0 && column < columns && row >= 0) {
      const found = hall.workers[row * columns + column];
      if (found) return found;
    }
  }
  return undefined;
}

/** Corner of a worker's cell, px; null for a worker that is not on the map. */
export function cornerOf({ blocks, step }: Layout, id: number) {
  for (const { hall, columns, x, y } of blocks) {
    const at = hall.workers.findIndex((worker) => worker.id === id);
    if (at >= 0) return { x: x + (at % columns) * step, y: y + Math.floor(at / columns) * step };
  }
  return null;
}

const MOVES = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] } as const;

/** The worker to which a key moves from `id`: over the edge of a hall to the next; undefined: the key moves nowhere. */
export function workerAfter({ blocks }: Layout, id: number | null, key: string): Worker | undefined {
  const all = blocks.flatMap(({ hall }) => hall.workers);
  const at = all.findIndex((worker) => worker.id === id);
  if (key === 'Home') return all[0];
  if (key === 'End') return all.at(-1);
  const [across, down] = MOVES[key as keyof typeof MOVES] ?? [];
  if (across === undefined) return undefined;
  if (at < 0) return all[0];
  const { columns } = blocks.findLast(({ from }) => from <= at) ?? { columns: 1 };
  return all[Math.max(0, Math.min(all.length - 1, at + across + down * columns))];
}
