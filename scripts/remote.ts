/** Deploys remotes one by one: a version is an immutable folder, and a pointer says which one is served. */
import { readHistory, readPointer, type Pointer } from '../api/src/remotes/pointers';
import { REMOTES, unitsNamed } from './build/names';
import { runCommand } from './command-line.mjs';
import { tryInBrowser } from './dev/smoke';
import {
  deployedNames,
  deployedVersion,
  folderOf,
  isMissing,
  promote,
  prune,
  publish,
  rollback,
  versionsOf,
} from './remotes/deployed';
import { packRemote } from './remotes/pack';

const served = ({ version, canary }: Pointer): string =>
  canary ? `${version}, canary ${canary.version} for ${canary.percent} %` : `${version} for everybody`;

/** A whole number of percent or days. */
function numberOf(option: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!(value >= 0 && value <= most)) throw new Error(`--${option} takes a number, 0 to ${most}`);
  return value;
}

type Options = Partial<Record<'canary' | 'auto' | 'to' | 'why' | 'days', string>> &
  Partial<Record<'all' | 'missing' | 'replace' | 'unseen' | 'urgent', boolean>>;

const ACTIONS: Record<string, (name: string, options: Options) => Promise<string | null>> = {
  async publish(name, { canary, auto, missing, replace, unseen, why }) {
    if (auto !== undefined && canary === undefined) throw new Error('--auto is about a canary: --canary <percent>');
    const built = await packRemote(name);
    if (missing && !(await isMissing(built))) return null;
    if (process.env.POOL_URL && !unseen) await tryInBrowser(built, new URL(process.env.POOL_URL));
    else if (!missing) console.log(`${name}: not tried in a browser${unseen ? '' : ': POOL_URL is not set'}`);
    const percent = numberOf('canary', canary, 100);
    const version = await publish(built, { canary: percent, auto: numberOf('auto', auto, 10_080), replace, why });
    return `${version}${percent === undefined ? ' for everybody' : ` for ${percent} %`}`;
  },
  async try(name, { to }) {
    if (!process.env.POOL_URL) throw new Error('POOL_URL is the address of the pool in whose pages it is tried');
    const version = to === undefined ? await packRemote(name) : deployedVersion(name, to);
    await tryInBrowser(version, new URL(process.env.POOL_URL));
    return `${version.version} is good in a browser`;
  },
  promote: async (name, { why }) => `${await promote(name, why)} for everybody`,
  rollback: async (name, { to, urgent, why }) => `back to ${await rollback(name, { to, urgent, why })}`,
  async status(name) {
    const pointer = await readPointer(folderOf(name));
    const last = (await readHistory(folderOf(name))).at(-1);
    const since = last ? ` · since ${last.at} by ${last.who}` : '';
    return `${pointer ? served(pointer) : 'not deployed'}${since} · ${versionsOf(name).length} versions`;
  },
  async history(name) {
    const moves = await readHistory(folderOf(name));
    const lines = moves.map(({ at, who, what, to, commit, why }) =>
      [at, what, served(to), who, ...(commit ? [commit] : []), ...(why ? [why] : [])].join(' · '),
    );
    return lines.length > 0 ? `\n${lines.join('\n')}` : 'no moves';
  },
  async prune(name, { days }) {
    const removed = await prune(name, numberOf('days', days, 36_500) ?? 14);
    return removed.length > 0 ? `removed ${removed.join(', ')}` : 'nothing to remove';
  },
};

/** Actions on what is deployed, whether or not it is a remote of this checkout. */
const ANY_DEPLOYED = ['try', 'promote', 'rollback', 'status', 'history', 'prune'];
/** Actions that, without names, are about all remotes. */
const WITHOUT_NAMES = ['status', 'prune'];

void runCommand(
  {
    name: 'remote',
    takes: `<${Object.keys(ACTIONS).join('|')}> [remotes...]`,
    what: 'Deploys remotes into REMOTES_DIR: publish adds the build of this checkout and serves it, promote serves the canary to everybody, rollback an earlier version; try looks at one in a browser.',
    options: {
      canary: { type: 'string', what: 'publish: for so many percent of the users' },
      auto: { type: 'string', what: 'publish --canary: for everybody after so many minutes, if it is as good' },
      all: { type: 'boolean', what: 'publish: all remotes of this checkout' },
      missing: { type: 'boolean', what: 'publish: all whose build was never deployed here' },
      replace: { type: 'boolean', what: 'publish: although somebody else runs a canary' },
      unseen: { type: 'boolean', what: 'publish: without the try in a browser, in the pages of the pool at POOL_URL' },
      to: {
        type: 'string',
        what: 'rollback: this version, not the last that everybody had; try: a version that is there',
      },
      urgent: { type: 'boolean', what: 'rollback: open pages too are replaced, within seconds' },
      why: { type: 'string', what: 'the reason, for the history' },
      days: { type: 'string', what: 'prune: keep what was served within so many days (14)' },
    },
  },
  async ({ values, positionals: [action = '', ...words] }) => {
    const act = ACTIONS[action];
    if (!act) throw new Error(`there is no '${action}': ${Object.keys(ACTIONS).join(', ')}`);
    if (words.length === 0 && !values.missing && !values.all && !WITHOUT_NAMES.includes(action))
      throw new Error('name a remote');
    const known = [...new Set([...REMOTES, ...(ANY_DEPLOYED.includes(action) ? deployedNames() : [])])].sort();
    const names = unitsNamed(
      words,
      known.map((name) => `mfe-${name}`),
    ).map((unit) => unit.slice('mfe-'.length));
    for (const name of names) {
      const said = await act(name, values);
      if (said !== null) console.log(`${name}: ${said}`);
    }
  },
);
