/** The independent miner at a pool with its defaults, and through the proxy of a second pool. */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Mined, Minerd, minerd } from '../e2e/interop/minerd';
import { type Product, runScript, startProduct } from '../e2e/fixtures/product';
import { startBuiltinPool } from '../api/src/stratum/builtin-pool';
import { runCommand } from './command-line.mjs';
import { mineThrough } from './interop-upstream';

const FIRST_SHARE_S = 20;
/** What an independent miner may lose, of its shares; in a short run one, which a new block has overtaken. */
const MOST_REFUSED = 0.01;
/** The page's figure of the last five minutes is within this factor of the miner's own after so many seconds. */
const FACTOR = 1.5;
const FIGURE_FROM_S = 10;
const FIGURE_EVERY_S = 3;
/** A figure is the mean of at least so many seconds. */
const FIGURE_OF_S = 60;
/** A shorter run is without the demo, whose history takes sixteen seconds of a core. */
const DEMO_FROM_S = 120;
/** Chance may keep it away longer: fifty shares are right within 14 %, one time in three. */
const FIGURE_BY_S = 200;

const ALGORITHMS = [
  { own: 'sha256', name: 'SHA256_ASICBOOST' },
  { own: 'scrypt', name: 'SCRYPT' },
] as const;
type Algorithm = (typeof ALGORITHMS)[number];

const wait = (seconds: number): Promise<void> => sleep(seconds * 1000);

class User {
  private readonly password = `interop through the pool ${process.pid}`;

  constructor(
    private readonly product: Product,
    readonly name = `interop${process.pid}`,
  ) {}

  private async form(path: string, fields: Record<string, string>): Promise<string> {
    const { url } = this.product;
    const answer = await fetch(`${url}/__clerk/v1/client/${path}`, {
      method: 'POST',
      headers: { origin: url, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
    const { client } = (await answer.json()) as { client?: { sessions: { last_active_token: { jwt: string } }[] } };
    const token = client?.sessions[0]?.last_active_token.jwt;
    if (!token) throw new Error(`${path}: ${answer.status}`);
    return token;
  }

  signUp(): Promise<string> {
    const { name: username, password } = this;
    return this.form('sign_ups', { username, email_address: `${username}@example.com`, password });
  }

  /** The hashrate of the last five minutes, as its pages show it, in H/s. */
  async hashrate(algorithm: Algorithm): Promise<number> {
    const { name: identifier, password } = this;
    const token = await this.form('sign_ins', { identifier, password, strategy: 'password' });
    const answer = await fetch(`${this.product.url}/api/getLiveHashrates/?algorithm=${algorithm.name}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return ((await answer.json()) as { m5: number }).m5;
  }
}

type Run = { where: string; algorithm: Algorithm; user: User; miner: Minerd; figure: number | null };

/** Waits until the page's figure fits the miner's own; keeps the last one. */
async function compareFigures(run: Run): Promise<void> {
  for (let at = FIGURE_FROM_S; at <= FIGURE_BY_S; at += FIGURE_EVERY_S) {
    const { hashes, seconds } = run.miner.done;
    run.figure = (await run.user.hashrate(run.algorithm)) / (hashes / Math.max(FIGURE_OF_S, seconds));
    if (run.figure < FACTOR && run.figure > 1 / FACTOR) return;
    await wait(FIGURE_EVERY_S);
  }
}

function judge({ where, algorithm, miner, figure }: Run, done: Mined): { failed: number; line: string } {
  const { firstShare, accepted, refused, reasons, disconnects } = done;
  const allowed = Math.max(1, MOST_REFUSED * (accepted + refused));
  const checks = [
    firstShare !== null && firstShare <= FIRST_SHARE_S,
    accepted > 0 && refused <= allowed && disconnects === 0,
    figure !== null && figure < FACTOR && figure > 1 / FACTOR,
  ];
  const failed = checks.filter((fits) => !fits).length;
  const line =
    `${failed ? 'FAIL' : 'ok  '} ${where.padEnd(18)} ${algorithm.own.padEnd(7)}` +
    `first share ${firstShare?.toFixed(1) ?? 'never'} s · refused ${refused} of ${accepted + refused} ${reasons.join(', ')}· ` +
    `page / miner ${figure?.toFixed(2) ?? 'none'} · disconnects ${disconnects}`;
  return { failed, line: failed ? `${line}\n${miner.output.slice(-30).join('\n')}` : line };
}

async function mineAt(where: string, product: Product, program: string): Promise<Run[]> {
  const user = new User(product);
  await user.signUp();
  return ALGORITHMS.map((algorithm) => ({
    where,
    algorithm,
    user,
    miner: new Minerd(program, algorithm.own, product.stratum[algorithm.own], `${user.name}.cpu`),
    figure: null,
  }));
}

type Judged = { passed: number; failed: number };

/** Pools with their defaults: the first, and a second one behind whose proxy the first is the upstream. */
async function mineAtPools(seconds: number, program: Promise<string>): Promise<Judged> {
  const stops: (() => Promise<unknown>)[] = [];
  const start = async (env: Record<string, string>): Promise<Product> => {
    const product = await startProduct(env);
    stops.unshift(() => product.dispose());
    return product;
  };
  const builtin = async (algorithm: Algorithm['name']): Promise<string> => {
    const pool = await startBuiltinPool({ algorithm });
    stops.unshift(() => pool.stop());
    return pool.target.url.replace('://', '://pool:x@');
  };
  try {
    // The migrations of a new database take four seconds of a core.
    process.env.DATABASE_TEMPLATE = (await runScript('api/src/platform/db/testing/make-template.ts')).stdout;
    const first = await start(
      seconds < DEMO_FROM_S
        ? { UPSTREAM_SHA256: await builtin('SHA256_ASICBOOST'), UPSTREAM_SCRYPT: await builtin('SCRYPT') }
        : { DEMO: '1' },
    );
    const proxy = new User(first, `proxy${process.pid}`);
    await proxy.signUp();
    const upstream = (port: number): string => `stratum+tcp://${proxy.name}.second:x@127.0.0.1:${port}`;
    const { sha256, scrypt } = first.stratum;
    const second = await start({ DEMO: '0', UPSTREAM_SHA256: upstream(sha256), UPSTREAM_SCRYPT: upstream(scrypt) });
    const runs = [
      ...(await mineAt('embedded default', first, await program)),
      ...(await mineAt('through the proxy', second, await program)),
    ];
    stops.unshift(() => Promise.all(runs.map(({ miner }) => miner.stop())));
    const mined = wait(seconds);
    await wait(FIGURE_FROM_S);
    await Promise.all(runs.map(compareFigures));
    await mined;
    const judged = runs.map((run) => judge(run, run.miner.done));
    for (const { line } of judged) process.stdout.write(`${line}\n`);
    const failed = judged.reduce((sum, each) => sum + each.failed, 0);
    return { passed: 3 * runs.length - failed, failed };
  } finally {
    for (const stop of stops) await stop();
  }
}

async function mine(seconds: number, real: { upstream?: string; algorithm?: string }): Promise<Judged> {
  // It is built while the pools start.
  const building = minerd();
  if (building === null) {
    console.log('Left out: the independent miner. Its source is not beside this checkout; name one in MINERD.');
    return { passed: 0, failed: 0 };
  }
  if (!real.upstream) return mineAtPools(seconds, building);
  const algorithm = ALGORITHMS.find(({ own }) => own === real.algorithm) ?? ALGORITHMS[0];
  return mineThrough(real.upstream, algorithm, seconds, await building);
}

void runCommand(
  {
    name: 'interop',
    what: 'An independent miner mines both algorithms, directly and through the proxy of a second pool.',
    options: {
      seconds: { type: 'string', what: 'how long, 300' },
      report: { type: 'string', what: 'a file for the counts, as JSON' },
      build: { type: 'boolean', what: 'only build the miner' },
      upstream: { type: 'string', what: 'a real pool in place of ours: stratum+tcp://user:password@host:port' },
      algorithm: { type: 'string', what: 'of that pool: sha256 or scrypt' },
    },
  },
  async ({ values: { seconds = '300', report, build, ...real } }) => {
    if (build) return void (await minerd());
    const judged = await mine(Number(seconds), real);
    if (report) writeFileSync(report, JSON.stringify(judged));
    console.log(`${judged.passed} passed, ${judged.failed} failed`);
    if (judged.failed) process.exitCode = 1;
  },
);
