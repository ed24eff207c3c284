import { closedThrough } from '../../../money/accounting/earnings';
import { writeAudit } from '../../../platform/audit';
import { overviewOf } from '../../../admin/overview';
import { overviewDays } from '../../../admin/overview-days';
import { setupOf } from '../../../admin/setup';
import { keptMails } from '../../../messages/mail/kept';
import { shownNode, readNodes } from '../../../nodes/nodes';
import { standingVersions } from '../../../remotes/pointers';
import { lateWork } from '../../../ops/late-work';
import { lastFailures } from '../../../messages/outbox/outbox';
import type { Handlers } from '../../auth/route';
import type { Deps } from '../../context/deps';
import { poolOrigin } from '../../context/pool-origin';
import { problems } from '../../server/problem';
import { firstRow, rowsOf } from '../../../platform/db/querier';

const SHARES_S = 300;
const MOVES_SHOWN = 10;
const SWITCH = 'remote.switch';
const iso = (seconds: number | null): string | null =>
  seconds === null ? null : new Date(seconds * 1000).toISOString();
type Pointer = { version: string; canary?: { version: string; percent: number } | null };
const shown = ({ version, canary = null }: Pointer) => ({
  version,
  canary: canary && { version: canary.version, percent: canary.percent },
});

export function systemRoutes(deps: Deps) {
  const { config, demo, pool, databaseKind, clock, closeDays, figures, jobs, remotes, stratum, now } = deps;

  const setup = (overTls: boolean) =>
    setupOf(
      pool,
      { config, database: databaseKind, upstreams: stratum.upstreams().map(({ algorithm }) => algorithm), overTls },
      now(),
    );
  const database = async () => {
    const before = performance.now();
    await pool.query('select 1');
    const answerMs = performance.now() - before;
    const facts = await firstRow<{ version: string; bytes: number; migrations: number }>(pool)`
      select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes,
      (select count(*) from migration.applied) as migrations`;
    return {
      kind: databaseKind,
      answerMs,
      version: facts?.version ?? '',
      bytes: facts?.bytes ?? 0,
      migrations: facts?.migrations ?? 0,
    };
  };
  const sharesPerSecond = async (): Promise<number> => {
    const until = Math.floor(now() / 60) * 60 - 60;
    const sum = await firstRow<{ shares: number }>(pool)`
      select coalesce(sum(shares), 0)::float8 as shares
      from share_1m
      where at >= to_timestamp(${until - SHARES_S}::float8) and at < to_timestamp(${until}::float8)`;
    return (sum?.shares ?? 0) / SHARES_S;
  };

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
          sharesPerSecond: await sharesPerSecond(),
          upstreams: stratum.upstreams(),
        },
        uncounted: (await closeDays.uncounted()).map(({ day, why, lines }) => ({ day, why, shares: lines })),
        nodes: databaseKind === 'embedded' ? [] : (await readNodes(pool)).map((node) => shownNode(node, now())),
        database: { ...(await database()), clockOffset: clock.offset, clockTrouble: clock.trouble },
        job: job && {
          ...job,
          startedAt: new Date(job.startedAt * 1000).toISOString(),
          endedAt: iso(job.endedAt),
          nextAt: iso(job.nextAt),
        },
        closedThrough: await closedThrough(pool),
        lateWork: (await lateWork(pool)).length,
        remotes: (await remotes.overview()).map(
          ({ name, pointer, budget, places, connect, flags, versions, history }) => ({
            name,
            budget,
            connect,
            flags: flags.map((each) => ({ ...each, figures: figures.readFlag(each.flag) })),
            slots: places.map((place) => ({ place, off: pointer.slotsOff?.includes(place) ?? false })),
            ...shown(pointer),
            versions: versions.map(({ version, deployedAt }) => ({
              version,
              deployedAt: deployedAt.toISOString(),
              figures: figures.read(name, version),
            })),
            // A withdrawal is in the log of its team: what is listed here is served again. Switched slots are in the audit.
            history: history
              .flatMap(({ what, ...move }) => (what === 'withdraw' || what === 'slots' ? [] : [{ what, ...move }]))
              .slice(-MOVES_SHOWN)
              .reverse(),
          }),
        ),
        remoteFaults: await remotes.listFaults(),
        failures: (await lastFailures(pool)).map(({ channel, reason, at }) => ({
          channel,
          reason,
          at: new Date(at * 1000).toISOString(),
        })),
        uptimeSeconds: Math.round(process.uptime()),
      };
    },
    'GET /admin/mails': async () => (config.SMTP_URL ? null : keptMails(config.DATA_DIR, now())),
    'PUT /admin/remotes/{name}': async ({ me, request, params: { name }, body: { expected, urgent, ...to } }) => {
      const current = (await remotes.overview()).find((remote) => remote.name === name);
      if (!current) throw problems.notFound();
      if (JSON.stringify(shown(current.pointer)) !== JSON.stringify(shown(expected)))
        throw problems.conflict('changed_meanwhile', 'Another version was deployed meanwhile: look again.');
      const { version, canary } = to;
      const { version: was, canary: tried } = current.pointer;
      const served = tried ? [was, tried.version] : [was];
      const isBack = standingVersions(current.history).includes(version);
      const withdrawn = served.filter((each) => each !== version && each !== canary?.version);
      const before = await remotes.switchTo(
        name,
        {
          at: new Date(now() * 1000),
          who: me.user.userName,
          what: canary ? 'canary' : version === tried?.version ? 'promote' : isBack ? 'rollback' : 'publish',
          to: { version, ...(canary && { canary }), ...(urgent && { withdrawn }) },
        },
        (pointer) => JSON.stringify(shown(pointer)) === JSON.stringify(shown(expected)),
      );
      if (!before) throw problems.conflict('unknown_version', 'That version is not deployed here.');
      const actor = { actorId: me.user.id, ip: request.ip };
      await writeAudit(pool, actor, SWITCH, name, {
        before: shown(before),
        after: { ...to, ...(urgent && { urgent }) },
      });
      return to;
    },
    'PUT /admin/remotes/{name}/slots': async ({ me, request, params: { name }, body: { place, off } }) => {
      const remote = (await remotes.overview()).find((each) => each.name === name);
      if (!remote?.places.includes(place)) throw problems.notFound();
      const made = { at: new Date(now() * 1000), who: me.user.userName };
      if (await remotes.switchSlot(name, place, off, made))
        await writeAudit(pool, { actorId: me.user.id, ip: request.ip }, 'remote.slot', name, {
          before: { place, off: !off },
          after: { place, off },
        });
      return null;
    },
    'PUT /admin/remotes/{name}/connect': async ({ me, request, params: { name }, body: { origin, allowed } }) => {
      const remote = (await remotes.overview()).find((each) => each.name === name);
      const isAsked = remote?.connect.some((each) => each.origin === origin) ?? false;
      // What is not asked for any more can still be ended.
      if (allowed && !isAsked) throw problems.notFound();
      if (allowed && (!origin.startsWith('https:') || origin === poolOrigin(deps, request)))
        throw problems.invalid('It is an API of another server, by https.');
      await remotes.granted?.allow(name, origin, allowed, { actorId: me.user.id, ip: request.ip });
      return null;
    },
    'PUT /admin/remotes/{name}/flags': async ({ me, request, params: { name }, body: { flag, users } }) => {
      const remote = (await remotes.overview()).find((each) => each.name === name);
      // One that is not there any more can still be turned off.
      if (users?.length !== 0 && !remote?.flags.some((each) => each.flag === flag)) throw problems.notFound();
      const rows = await rowsOf<{ name: string }>(
        pool,
      )`select user_name as name from app_user where user_name = any(${users ?? []})`;
      const unknown = users?.find((each) => !rows.some((row) => row.name === each));
      if (unknown !== undefined) throw problems.conflict('unknown_user', `There is no user '${unknown}'.`);
      await remotes.granted?.turnOn(name, flag, users, { actorId: me.user.id, ip: request.ip });
      return null;
    },
  } satisfies Partial<Handlers>;
}
