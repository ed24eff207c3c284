/** Workers for tests. */
import { countWorkers, type Answer, type TimelineEntry, type Worker } from '@pool/shared';

let nextId = 1;

/** An online worker at about 91 TH/s; `facts` overrides fields. */
export const worker = (facts: Partial<Worker> = {}): Worker => ({
  id: nextId++,
  name: `rig-${nextId}`,
  group: null,
  state: 'online',
  muted: false,
  alertLimit: 0.7,
  m5: 91.2e12,
  h1: 90.8e12,
  h24: 91.9e12,
  rejectRate: 0.0017,
  staleRate: 0.0031,
  difficulty: 65_536,
  lastShareAt: 1_795_184_000,
  connectedAt: 1_795_000_000,
  software: 'bmminer/2.0.0',
  shares24h: 27_741,
  spark: Array.from({ length: 24 }, () => 91e12),
  ...facts,
});

/** The list of these workers, which pages ask for by name. */
export const liveWorkers = (workers: readonly Worker[]): Answer<'GET /liveWorkers/'> => ({
  workers: workers.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })),
  counts: countWorkers(workers),
  total: workers.length,
  nextCursor: null,
});

type Happened = Pick<Extract<TimelineEntry, { kind: 'worker' }>, 'at' | 'what' | 'value'>;
/** The events of a worker. */
export const happened = (events: Happened[]): Answer<'GET /timeline'> => ({
  rows: events.map((event, at) => ({ id: `worker-${at}`, kind: 'worker', ...event })),
  nextCursor: null,
});
