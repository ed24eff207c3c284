/**
 * What page loads cost: `--only views`, or `npx tsx scripts/bench/views.ts [pages]`. Three pages of one demo user with
 * their first views, one after another (CPU per page, by process), then dashboards as a flood beside API calls.
 */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { writeFacts } from '../../shared/src/page-start/facts';
import { quantile } from './figures';
import { PASSWORD, withSite } from './site';

const DASHBOARD = '/dashboard/';
const PAGES = [DASHBOARD, '/workers/', '/payments/'];
/** Fewer than an address gets in a minute. */
const PAGES_AN_ADDRESS = 100;
const CONNECTIONS = 30;
const FLOOD_S = 8;
/** Clock ticks of `/proc/<pid>/stat` in a second. */
const TICKS = 100;

const FACTS = writeFacts({
  language: 'en',
  direction: 'ltr',
  mode: 'dark',
  currency: 'usd',
  themeColor: '#ed4540',
  skin: 'default',
  width: 1366,
  height: 768,
  content: 1066,
  plot: 730,
});

type Usage = Map<string, number>;

/** CPU time in ms since their start of the server and its children, by program. */
export function usage(): Usage {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        const cpu = ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        const [program = readFileSync(`/proc/${pid}/comm`, 'utf8').trim()] =
          /[\w-]+\.mjs$/.exec(command.findLast((part) => part.endsWith('.mjs')) ?? '') ?? [];
        return [{ pid: Number(pid), parent: Number(fields[1]), cpu, program }];
      } catch {
        return [];
      }
    });
  const found: Usage = new Map();
  const add = (parent: number): void => {
    for (const { pid, cpu, program } of all.filter((each) => each.parent === parent)) {
      found.set(program, (found.get(program) ?? 0) + cpu);
      add(pid);
    }
  };
  add(process.pid);
  return found;
}

export const spent = (before: Usage, after: Usage): Usage =>
  new Map([...after].map(([name, cpu]) => [name, cpu - (before.get(name) ?? 0)]));

type Answer = { status: number; body: Buffer; isPacked: boolean; cookies: string[] };
const agent = new Agent({ keepAlive: true });

/** `localAddress`: of this machine, 127.x.y.z; pages are limited by address. */
async function ask(
  url: string,
  headers: Record<string, string>,
  body?: string,
  localAddress?: string,
): Promise<Answer> {
  const sent = request(url, { agent, headers, localAddress, method: body === undefined ? 'GET' : 'POST' }).end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return {
    status: answer.statusCode ?? 0,
    body: await buffer(answer),
    isPacked: answer.headers['content-encoding'] === 'br',
    cookies: answer.headers['set-cookie'] ?? [],
  };
}
const textOf = ({ body, isPacked }: Answer): string => (isPacked ? brotliDecompressSync(body) : body).toString();

/** The cookies of a signed-in browser. */
async function signIn(url: string, identifier: string): Promise<string> {
  const { cookies } = await ask(
    `${url}/__clerk/v1/client/sign_ins`,
    { origin: url, 'content-type': 'application/x-www-form-urlencoded' },
    new URLSearchParams({ identifier, password: PASSWORD, strategy: 'password' }).toString(),
  );
  return [...cookies.map((cookie) => cookie.split(';', 1)[0]), `pool-facts=${FACTS}`].join('; ');
}

/** As a browser asks: what compressing costs is part of a page. */
const HTML = { accept: 'text/html', 'accept-encoding': 'br' };
const hasView = (answer: Answer): boolean => textOf(answer).includes('shadowrootmode');

async function measure(url: string, pages: number): Promise<void> {
  const cookie = await signIn(url, 'demo');
  let opened = 0;
  const nextAddress = (): string => `127.0.1.${Math.floor(opened++ / PAGES_AN_ADDRESS)}`;
  const open = (path: string, extra: Record<string, string> = {}, from = nextAddress()): Promise<Answer> =>
    ask(`${url}${path}`, { ...HTML, cookie, ...extra }, undefined, from);
  // A pool in use has compiled what it runs: a renderer's first 20 views cost three times as much as later ones.
  for (let warm = 0; warm < pages; warm += 1) for (const path of PAGES) await open(path);
  for (const path of PAGES) if (!hasView(await open(path))) throw new Error(`${path} came without its first view`);
  const idle = usage();
  const since = performance.now();
  await wait(4000);
  const rest = spent(idle, usage());
  const restMs = performance.now() - since;
  const rows: string[] = [];
  for (const [path, name, headers] of [
    ...PAGES.map((each) => [each, each, {}] as const),
    [DASHBOARD, `${DASHBOARD} without its view`, { cookie: cookie.replace(/pool-facts=\S+/, '') }] as const,
  ]) {
    const before = usage();
    const started = performance.now();
    let views = 0;
    let bytes = 0;
    const took: number[] = [];
    for (let i = 0; i < pages; i += 1) {
      const sentAt = performance.now();
      const answer = await open(path, headers);
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
      views += Number(hasView(answer));
      bytes = textOf(answer).length;
      took.push(performance.now() - sentAt);
    }
    const lasted = performance.now() - started;
    const used = [...spent(before, usage())].map(
      ([program, cpu]) => [program, (cpu - ((rest.get(program) ?? 0) * lasted) / restMs) / pages] as const,
    );
    const total = used.reduce((sum, [, cpu]) => sum + cpu, 0);
    rows.push(
      `| ${name} | ${views} of ${pages} | ${(bytes / 1024).toFixed(0)} | ${quantile(took, 0.5).toFixed(1)} / ${quantile(took, 0.99).toFixed(1)} | ${total.toFixed(1)} | ` +
        `${used.flatMap(([program, cpu]) => (cpu < 0.5 ? [] : `${program} ${cpu.toFixed(1)}`)).join(', ')} | ${(1000 / total).toFixed(0)} |`,
    );
  }
  process.stdout.write(
    '\n| page | with a view | KiB | ms p50 / p99 | CPU ms a page | of it | pages/s and core |\n|---|---|---|---|---|---|---|\n' +
      `${rows.join('\n')}\n`,
  );

  // A page gives the session's token, with which the API is called; it is valid for a minute.
  const signedIn = await signIn(url, 'demo');
  const { cookies } = await ask(`${url}/workers/`, { ...HTML, cookie: signedIn.replace(/pool-facts=\S+/, '') });
  const other = [signedIn, ...cookies.map((cookie) => cookie.split(';', 1)[0])].join('; ');
  const calls = async (until: () => boolean): Promise<number[]> => {
    const took: number[] = [];
    while (!until()) {
      const asked = performance.now();
      const { status } = await ask(`${url}/api/getLiveHashrates/`, { cookie: other });
      if (status !== 200) throw new Error(`the API answered ${status}`);
      took.push(performance.now() - asked);
      await wait(5);
    }
    return took;
  };
  const during = (ms: number): (() => boolean) => {
    const end = performance.now() + ms;
    return () => performance.now() > end;
  };
  const quiet = await calls(during(4000));
  const isOver = during(FLOOD_S * 1000);
  const pagesSeen: Answer[] = [];
  const [flooded] = await Promise.all([
    calls(isOver),
    ...Array.from({ length: CONNECTIONS }, async () => {
      while (!isOver()) pagesSeen.push(await open(DASHBOARD, {}, '127.0.0.1'));
    }),
  ]);
  // Only now: reading the pages would delay the calls.
  const seen: Record<string, number> = {};
  for (const page of pagesSeen) {
    const what = page.status === 200 && hasView(page) ? 'views' : String(page.status);
    seen[what] = (seen[what] ?? 0) + 1;
  }
  process.stdout.write(
    `API of another session p50 / p99: idle ${quantile(quiet, 0.5).toFixed(1)} / ${quantile(quiet, 0.99).toFixed(1)} ms, beside ${CONNECTIONS} connections that load pages ` +
      `${quantile(flooded, 0.5).toFixed(1)} / ${quantile(flooded, 0.99).toFixed(1)} ms; pages in ${FLOOD_S} s: ${JSON.stringify(seen)}\n`,
  );
}

/** `pages`: of each, and as many before. */
export const benchViews = (pages = 250): Promise<void> => withSite(({ url }) => measure(url, pages));

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) void benchViews(Number(process.argv[2] ?? 250));
