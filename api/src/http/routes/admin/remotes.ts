import { writeAudit } from '../../../platform/audit';
import { valuesOf } from '../../../platform/db/querier';
import { standingVersions } from '../../../remotes/pointers';
import { actorOf } from '../../auth/principal';
import type { Handlers } from '../../auth/route';
import type { Deps } from '../../context/deps';
import { poolOrigin } from '../../../platform/origin-of';
import { problems } from '../../../platform/refused';

/** Moves of a pointer that the System page lists. */
const MOVES_SHOWN = 10;

type Pointer = { version: string; canary?: { version: string; percent: number } | null };
const shown = ({ version, canary = null }: Pointer) => ({
  version,
  canary: canary && { version: canary.version, percent: canary.percent },
});

/** Each deployed remote, with its versions as browsers report them. */
export const deployedRemotes = async ({ remotes, figures }: Deps) =>
  (await remotes.overview()).map(({ name, pointer, budget, places, connect, flags, versions, history }) => ({
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
  }));

/** What an admin says of the deployed remotes: the version, and what each may show and ask. */
export function remoteRoutes(deps: Deps) {
  const { pool, remotes, now } = deps;
  const remoteOf = async (name: string) => (await remotes.overview()).find((remote) => remote.name === name);
  return {
    'PUT /admin/remotes/{name}': async ({ params: { name }, body: { expected, urgent, ...to }, ...c }) => {
      const current = await remoteOf(name);
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
          who: c.me.user.userName,
          what: canary ? 'canary' : version === tried?.version ? 'promote' : isBack ? 'rollback' : 'publish',
          to: { version, ...(canary && { canary }), ...(urgent && { withdrawn }) },
        },
        (pointer) => JSON.stringify(shown(pointer)) === JSON.stringify(shown(expected)),
      );
      if (!before) throw problems.conflict('unknown_version', 'That version is not deployed here.');
      const after = { ...to, ...(urgent && { urgent }) };
      await writeAudit(pool, actorOf(c), 'remote.switch', name, { before: shown(before), after });
      return to;
    },
    'PUT /admin/remotes/{name}/slots': async ({ params: { name }, body: { place, off }, ...c }) => {
      const remote = await remoteOf(name);
      if (!remote?.places.includes(place)) throw problems.notFound();
      const made = { at: new Date(now() * 1000), who: c.me.user.userName };
      if (await remotes.switchSlot(name, place, off, made))
        await writeAudit(pool, actorOf(c), 'remote.slot', name, {
          before: { place, off: !off },
          after: { place, off },
        });
      return null;
    },
    'PUT /admin/remotes/{name}/connect': async ({ params: { name }, body: { origin, allowed }, ...c }) => {
      const remote = await remoteOf(name);
      const isAsked = remote?.connect.some((each) => each.origin === origin) ?? false;
      // What is not asked for any more can still be ended.
      if (allowed && !isAsked) throw problems.notFound();
      if (allowed && (!origin.startsWith('https:') || origin === poolOrigin(deps, c.request)))
        throw problems.invalid('It is an API of another server, by https.');
      await remotes.granted?.allow(name, origin, allowed, actorOf(c));
      return null;
    },
    'PUT /admin/remotes/{name}/flags': async ({ params: { name }, body: { flag, users }, ...c }) => {
      const remote = await remoteOf(name);
      // One that is not there any more can still be turned off.
      if (users?.length !== 0 && !remote?.flags.some((each) => each.flag === flag)) throw problems.notFound();
      const known = await valuesOf<string>(pool)`select user_name from app_user where user_name = any(${users ?? []})`;
      const unknown = users?.find((each) => !known.includes(each));
      if (unknown !== undefined) throw problems.conflict('unknown_user', `There is no user '${unknown}'.`);
      await remotes.granted?.turnOn(name, flag, users, actorOf(c));
      return null;
    },
  } satisfies Partial<Handlers>;
}
