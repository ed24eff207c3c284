import { closedThrough } from '../../../money/accounting/earnings';
import { overviewOf } from '../../../admin/overview';
import { overviewDays } from '../../../admin/overview-days';
import { setupOf } from '../../../admin/setup';
import { keptMails } from '../../../messages/mail/kept';
import { shownNode, readNodes } from '../../../nodes/nodes';
import { lateWork } from '../../../ops/late-work';
import { lastFailures } from '../../../messages/outbox/outbox';
import type { Handlers } from '../../auth/route';
import type { Deps } from '../../context/deps';
import { deployedRemotes } from './remotes';
import { oneRow } from '../../../platform/db/querier';

const SHARES_S = 300;
const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
const isoOrNull = (seconds: number | null): string | null => (seconds === null ? null : iso(seconds));

async function databaseFacts({ pool, databaseKind }: Deps) {
  const before = performance.now();
  await pool.query('select 1');
  const answerMs = performance.now() - before;
  const facts = await oneRow<{ version: string; bytes: number; migrations: number }>(pool)`
    select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes,
    (select count(*) from migration.applied) as migrations`;
  return { kind: databaseKind, answerMs, ...facts };
}

async function sharesPerSecond({ pool, now }: Deps): Promise<number> {
  const until = Math.floor(now() / 60) * 60 - 60;
  const { shares } = await oneRow<{ shares: number }>(pool)`
    select coalesce(sum(shares), 0)::float8 as shares
    from share_1m
    where at >= to_timestamp(${until - SHARES_S}::float8) and at < to_timestamp(${until}::float8)`;
  return shares / SHARES_S;
}

export function systemRoutes(deps: Deps) {
  const { config, demo, pool, databaseKind, clock, closeDays, jobs, remotes, stratum, now } = deps;

  const setup = (overTls: boolean) =>
    setupOf(
      pool,
      { config, database: databaseKind, upstreams: stratum.upstreams().map(({ algorithm }) => algorithm), overTls },
      now(),
    );
  return {
    'GET /admin/overview': async ({ request }) =>
      overviewOf(
        pool,
        {
          uncounted: await closeDays.uncounted(),
          waiting: closeDays.waiting(),
          job: jobs.lastRun(),
          upstreams: stratum.upstreams(),
          clocksAgree: clock.trouble === null,
          setup: demo ? [] : await setup(request.protocol === 'https'),
        },
        now(),
      ),
    'GET /admin/overview/days': () => overviewDays(pool, now()),
    'GET /admin/system': async () => {
      const job = jobs.lastRun();
      return {
        proxy: {
          connections: stratum.connections(),
          sharesPerSecond: await sharesPerSecond(deps),
          upstreams: stratum.upstreams(),
        },
        uncounted: (await closeDays.uncounted()).map(({ day, why, lines }) => ({ day, why, shares: lines })),
        nodes: databaseKind === 'embedded' ? [] : (await readNodes(pool)).map((node) => shownNode(node, now())),
        database: { ...(await databaseFacts(deps)), clockOffset: clock.offset, clockTrouble: clock.trouble },
        job: job && {
          ...job,
          startedAt: iso(job.startedAt),
          endedAt: isoOrNull(job.endedAt),
          nextAt: isoOrNull(job.nextAt),
        },
        closedThrough: await closedThrough(pool),
        lateWork: (await lateWork(pool)).length,
        remotes: await deployedRemotes(deps),
        remoteFaults: await remotes.listFaults(),
        failures: (await lastFailures(pool)).map(({ channel, reason, at }) => ({ channel, reason, at: iso(at) })),
        uptimeSeconds: Math.round(process.uptime()),
      };
    },
    'GET /admin/mails': async () => (config.SMTP_URL ? null : keptMails(config.DATA_DIR, now())),
  } satisfies Partial<Handlers>;
}
