/** `npm run cluster`: the scaled profile of docker-compose.yml on this machine, without containers. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startBuiltinPool, type BuiltinPool } from '../api/src/stratum/builtin-pool';
import { ROOT } from './build/files';
import { Cluster, missing } from './cluster/cluster';
import { services } from './cluster/compose';
import { runCommand } from './command-line.mjs';

/** So that miners have work. */
const UPSTREAMS = { UPSTREAM_SHA256: 'SHA256_ASICBOOST', UPSTREAM_SCRYPT: 'SCRYPT' } as const;

async function main(kept: string | undefined): Promise<void> {
  if (missing().length > 0)
    throw new Error(`Install haproxy, nginx and pgbouncer: there is no ${missing().join(', ')}.`);
  if (!existsSync(path.join(ROOT, 'api/dist/main.mjs'))) throw new Error('Build it first: npm run build');
  const folder = kept ?? mkdtempSync(path.join(tmpdir(), 'pool-cluster-'));
  const ended = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => resolve());
  });
  const settings: Record<string, string> = {};
  for (const name of Object.keys(services['web-a']?.environment ?? {}))
    if (process.env[name]) settings[name] = process.env[name];
  const pools: BuiltinPool[] = [];
  for (const [name, algorithm] of Object.entries(UPSTREAMS)) {
    if (settings[name]) continue;
    const pool = await startBuiltinPool({ algorithm });
    pools.push(pool);
    settings[name] = pool.target.url.replace('://', '://pool:x@');
  }
  const cluster = await Cluster.open(folder, settings);
  try {
    await cluster.serve();
    const { nginx, haproxy } = cluster.places;
    console.log(`pages http://${nginx}:8080 · miners ${haproxy}:3311 (SHA256) and 3312 (SCRYPT) · ${folder}`);
    for (const name of cluster.names())
      console.log(`  ${name.padEnd(12)} ${cluster.places[name]?.padEnd(14)} pid ${cluster.pidOf(name)}`);
    console.log('Ctrl-C ends it.');
    await ended;
  } finally {
    await cluster.stop();
    await Promise.all(pools.map((pool) => pool.stop()));
    if (!kept) rmSync(folder, { recursive: true });
  }
}

void runCommand(
  {
    name: 'cluster',
    what:
      'Two web, stratum and worker processes, two PostgreSQL, pgbouncer, HAProxy and nginx, as in the scaled profile of\n' +
      'docker-compose.yml. Settings of the environment are taken as there; a small pool stands for an upstream not named.',
    options: { folder: { type: 'string', what: 'where everything is, new; kept afterwards with the logs' } },
  },
  ({ values: { folder } }) => main(folder),
);
