/** Deploys remotes one by one: a version is an immutable folder, and a pointer says which one is served. */
import { readHistory, readPointer, type Pointer } from '../api/src/remotes/pointers';
import { REMOTES_DIST } from './build/files';
import { REMOTES, remotesIn, unitsNamed } from './build/names';
import { isFresh } from './build/units';
import { runCommand } from './command-line.mjs';
import { tryInBrowser } from './dev/smoke';
import { assertFits, changedNames, deployedSurface, usesIn } from './remotes/checks';
import * as deployed from './remotes/deployed';
import { packRemote, type Version } from './remotes/pack';
import { assertAccount, isServedAt, poolAt, surfaceAt } from './remotes/pool';
import { signingKey } from './remotes/signing';
import { isAccount, isTeams } from './remotes/team';

const served = ({ version, canary }: Pointer): string =>
  canary ? `${version}, canary ${canary.version} for ${canary.percent} %` : `${version} for everybody`;

/** Throws where the account that says who the team is, is not the team's. */
async function assertTeam(): Promise<void> {
  if (!isAccount()) return;
  if (!process.env.POOL_URL)
    throw new Error('POOL_USER says who the team is: POOL_URL and POOL_PASSWORD are needed, or REMOTE_SIGNING_KEY');
  await assertAccount(poolAt(process.env.POOL_URL));
}

/** Throws where the folder of remotes is beside another shell. */
async function surfaceOfPool(pool: URL): Promise<string> {
  const [surface, beside] = [await surfaceAt(pool), deployedSurface()];
  if (beside !== null && beside !== surface)
    throw new Error(
      `the shell beside ${REMOTES_DIST} is another one than that of ${pool.origin}: REMOTES_DIR or POOL_URL is wrong`,
    );
  return surface;
}

/** Whether the version runs in the shell of the pool at `next`; in a browser where it uses what has changed there. */
async function conforms(version: Version, next: string): Promise<string> {
  const surface = await surfaceAt(poolAt(next));
  assertFits(version.manifest, version.folder, surface);
  const before = deployedSurface();
  const changed = before === null ? null : changedNames(before, surface);
  const affected = usesIn(version.folder)
    .split('\n')
    .filter((used) => changed?.has(used));
  if (changed && affected.length === 0) return `${version.version} uses nothing that has changed`;
  await tryInBrowser(version, poolAt(next));
  return `${version.version} is good, tried for ${affected.join(', ') || 'all it uses'}`;
}

function numberOf(option: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!(value >= 0 && value <= most)) throw new Error(`--${option} takes a number, 0 to ${most}`);
  return value;
}

type Options = Partial<Record<'canary' | 'auto' | 'dir' | 'to' | 'why' | 'days' | 'shell', string>> &
  Partial<Record<'all' | 'missing' | 'replace' | 'unseen' | 'urgent', boolean>>;

const ACTIONS: Record<string, (name: string, options: Options) => Promise<string | null>> = {
  async publish(name, { canary, auto, dir, missing, replace, unseen, why }) {
    if (auto !== undefined && canary === undefined) throw new Error('--auto is about a canary: --canary <percent>');
    const [percent, minutes] = [numberOf('canary', canary, 100), numberOf('auto', auto, 10_080)];
    const built = await packRemote(name, dir);
    const { version, manifest } = built;
    if (missing && !(await deployed.isMissing(built))) return null;
    const pool = process.env.POOL_URL ? poolAt(process.env.POOL_URL) : null;
    const surface = pool ? await surfaceOfPool(pool) : deployedSurface();
    const isServed = pool ? () => isServedAt(pool, manifest) : undefined;
    const options = { canary: percent, auto: minutes, replace, why, surface, isServed };
    // Checks that would refuse it anyway come before the browser, which takes its time.
    signingKey();
    await deployed.assertPublishable(built, options);
    // The browser signs in.
    if (!pool || unseen) await assertTeam();
    if (pool && !unseen) await tryInBrowser(built, pool);
    else if (!missing) console.log(`${name}: not tried in a browser${unseen ? '' : ': POOL_URL is not set'}`);
    const pointer = await deployed.publish(built, options);
    return `${version} for ${pointer.canary?.version === version ? `${pointer.canary.percent} %` : 'everybody'}`;
  },
  async try(name, { dir, to }) {
    const { POOL_URL } = process.env;
    if (!POOL_URL) throw new Error('POOL_URL is the address of the pool in whose pages it is tried');
    await surfaceAt(poolAt(POOL_URL));
    const version = to === undefined ? await packRemote(name, dir) : deployed.deployedVersion(name, to);
    await tryInBrowser(version, poolAt(POOL_URL));
    return `${version.version} is good in a browser`;
  },
  async conform(name, { shell }) {
    if (!shell) throw new Error('--shell names the pool that runs the shell which is not deployed yet');
    const versions = await deployed.servedVersions(name);
    const built = REMOTES.includes(name) && isFresh(`mfe-${name}`) ? [await packRemote(name)] : [];
    const own = built.filter(({ version }) => versions.every((each) => each.version !== version));
    const said: string[] = [];
    for (const version of [...versions, ...own])
      said.push(
        await conforms(version, shell).catch((error: unknown) => {
          // All that it breaks is told.
          process.exitCode = 1;
          return error instanceof Error ? error.message : String(error);
        }),
      );
    return said.join('\n  ') || 'not deployed';
  },
  promote: async (name, options) => `${await deployed.promote(name, options)} for everybody`,
  rollback: async (name, options) => `back to ${await deployed.rollback(name, options)}`,
  async withdraw(name, options) {
    await deployed.withdraw(name, options);
    return 'served to nobody; its versions are kept';
  },
  async status(name) {
    const pointer = await readPointer(deployed.folderOf(name));
    const last = (await readHistory(deployed.folderOf(name))).at(-1);
    const since = last ? ` · since ${last.at} by ${last.who}` : '';
    const canary = pointer ? deployed.canaryState(name, pointer) : '';
    return `${pointer ? served(pointer) : 'not deployed'}${since} · ${deployed.versionsOf(name).length} versions${canary && `\n  ${canary}`}`;
  },
  async history(name) {
    const moves = await readHistory(deployed.folderOf(name));
    const lines = moves.map(({ at, who, team, what, to, commit, why }) =>
      [at, what, served(to), who, team, commit, why].filter(Boolean).join(' · '),
    );
    return lines.length > 0 ? `\n${lines.join('\n')}` : 'no moves';
  },
  async prune(name, { days, replace }) {
    const removed = await deployed.prune(name, numberOf('days', days, 36_500) ?? 14, { replace });
    return removed.length > 0 ? `removed ${removed.join(', ')}` : 'nothing to remove';
  },
};

/** Actions that change what is deployed, but for publish, which tries it first. */
const CHANGING = ['promote', 'rollback', 'withdraw', 'prune'];
/** Actions that, without names, are about all remotes. */
const WITHOUT_NAMES = ['conform', 'status', 'prune'];

void runCommand(
  {
    name: 'remote',
    takes: `<${Object.keys(ACTIONS).join('|')}> [remotes...]`,
    what: 'Deploys remotes into REMOTES_DIR: publish adds the build of this checkout and serves it, promote serves the canary to everybody, rollback an earlier version, withdraw none; try looks at one in a browser, conform at all that a coming shell concerns.',
    options: {
      canary: { type: 'string', what: 'publish: for so many percent of the users' },
      auto: { type: 'string', what: 'publish --canary: for everybody after so many minutes, if it is as good' },
      dir: { type: 'string', what: 'publish, try: the folder of what another builder made' },
      all: { type: 'boolean', what: 'publish: all remotes of this checkout' },
      missing: { type: 'boolean', what: 'publish: all whose build was never deployed here' },
      replace: { type: 'boolean', what: 'although it is of another team, or another canary runs' },
      unseen: { type: 'boolean', what: 'publish: without the try in a browser, in the pages of the pool at POOL_URL' },
      to: { type: 'string', what: 'rollback: this version, not the last that everybody had; try: one that is there' },
      shell: { type: 'string', what: 'conform: address of a pool that runs the shell which is not deployed yet' },
      urgent: { type: 'boolean', what: 'rollback: open pages too are replaced, within seconds' },
      why: { type: 'string', what: 'the reason, for the history' },
      days: { type: 'string', what: 'prune: keep what was served within so many days (14)' },
    },
  },
  async ({ values, positionals: [action = '', ...words] }) => {
    const act = ACTIONS[action];
    if (!act) throw new Error(`there is no '${action}': ${Object.keys(ACTIONS).join(', ')}`);
    if (isTeams() && !process.env.REMOTES_DIR)
      throw new Error('REMOTES_DIR is the folder that the pool serves remotes from: this repository has no pool');
    if (words.length === 0 && !values.missing && !values.all && !WITHOUT_NAMES.includes(action))
      throw new Error('name a remote');
    const known = [...REMOTES, ...(action === 'publish' ? [] : deployed.deployedNames())].map((name) => `mfe-${name}`);
    const names = remotesIn(unitsNamed(words, [...new Set(known)].sort()));
    if (CHANGING.includes(action)) await assertTeam();
    for (const name of names) {
      const said = await act(name, values).catch((error: Error) => {
        // Only a team’s own remotes are pruned.
        if (action === 'prune' && words.length === 0) return error.message;
        throw error;
      });
      if (said !== null) console.log(`${name}: ${said}`);
    }
  },
);
