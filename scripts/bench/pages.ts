/** Cold and warm loads of dashboard and landing page, beside a peer's page, as tables. */
import { measureInteractions } from './interactions';
import { measureLoads, type Load, type Target } from './page-load';
import { PEER, startPeer } from './peer';
import { shown, signIn, type Site } from './site';

type Row = { name: string; cold: Load; warm: Load };

const number = (value: number | null | undefined, digits = 0) => value?.toFixed(digits) ?? '-';
const print = (text: string) => process.stdout.write(`${text}\n`);

function printTable(rows: Row[]): void {
  const columns = ['fcp', 'lcp', 'seen', 'usable', 'tbt', 'requests'];
  const cellsOf = (load: Load, names: string[], between: string) =>
    names.map((name) => number(load[name])).join(between);
  print(`\n| page · profile | ${columns.join(' | ')} | warm seen, usable, TBT |`);
  print(`|${'---|'.repeat(columns.length + 2)}`);
  for (const { name, cold, warm } of rows)
    print(`| ${name} | ${cellsOf(cold, columns, ' | ')} | ${cellsOf(warm, ['seen', 'usable', 'tbt'], ', ')} |`);
}

/** Page loads at `4g` by HTTP/2 as multiples of the peer's in the same run: a slow machine changes both. */
function compare(rows: Row[]): void {
  const of = (name: string) => rows.find((row) => row.name === `${name} · 4g`);
  const [page, peer] = [of('dashboard, HTTP/2'), of(PEER)];
  if (!page || !peer) return;
  const ratios = (visit: 'cold' | 'warm', ...names: string[]) =>
    names.map((name) => `${visit} ${name} ${number((page[visit][name] ?? NaN) / (peer[visit][name] ?? NaN), 2)}`);
  print(
    `Dashboard by the peer's page: ${[...ratios('cold', 'seen', 'usable', 'tbt'), ...ratios('warm', 'seen', 'usable')].join(', ')}`,
  );
}

export async function benchPages({ url, secure }: Site, runs: number): Promise<void> {
  const peer = await startPeer();
  try {
    const marks = { usable: shown('figures'), seen: '.sk-view, [data-ready~=chart]' };
    const cookies = await signIn(secure);
    const dashboard = { url: `${secure}/dashboard/`, marks, cookies };
    const targets: Target[] = [
      { name: 'dashboard, HTTP/1.1', url: `${url}/dashboard/`, marks, cookies: await signIn(url) },
      { name: 'dashboard, HTTP/2', ...dashboard },
      { name: 'dashboard, HTTP/2, service worker', ...dashboard, worker: true },
      ...(peer ? [peer.target] : []),
      { name: 'landing, HTTP/2', url: `${secure}/`, marks: { usable: 'main dl dd', seen: 'main section svg' } },
    ];
    const rows = await measureLoads(targets, ['none', '4g'], runs);
    printTable(rows);
    compare(rows);
    const { cold, warm, fast, inp } = await measureInteractions(dashboard, runs);
    print(
      `Workers from the dashboard, 4g: ${number(cold)} ms, again ${number(warm)} ms, without a throttle ${number(fast)} ms; ` +
        `slowest of twenty interactions, CPU x4: ${number(inp)} ms`,
    );
  } finally {
    peer?.stop();
  }
}
