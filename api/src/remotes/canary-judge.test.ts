/** The judge moves the pointer that it has compared, and no other. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { abilityFor } from '@pool/shared/ability';
import { createLog } from '../platform/log';
import { eventually } from '../testing/eventually';
import { LEAST_USERS } from './canary';
import { CanaryJudge, type Decided } from './canary-judge';
import { movePointer, readHistory, readPointer, type Pointer } from './pointers';
import { RemoteRegistry } from './registry';
import { mapManifest } from './testing/manifest';
import { versionFor, type Caller } from './version-for';

const [GOOD, CANARY, NEXT] = ['1.0.0', '1.1.0', '1.2.0'];
const ability = abilityFor({ role: 'miner', isLegacyUser: false });
const begun = (version: string, auto?: number): Pointer => ({
  version: GOOD,
  canary: { version, percent: 50, ...(auto && { auto }) },
});
/** Twice as many users as are needed: of the canary, whichever it is, or of what everybody has. */
const [OURS, OTHERS] = [true, false].map((isCanary) =>
  Array.from({ length: 1000 }, (_, id): Caller => ({ user: { id, userName: `user-${id}` }, ability }))
    .filter((me) => [CANARY, NEXT].every((version) => (versionFor(me, begun(version)) !== GOOD) === isCanary))
    .slice(0, 2 * LEAST_USERS),
) as [Caller[], Caller[]];

let folder: string;
let home: string;
let registry: RemoteRegistry;
let judge: CanaryJudge;
let decided: Decided[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'judge-'));
  home = join(folder, 'map');
  for (const version of [GOOD, CANARY, NEXT]) {
    mkdirSync(join(home, version), { recursive: true });
    writeFileSync(join(home, version, 'manifest.json'), JSON.stringify(mapManifest(version)));
  }
  decided = [];
  registry = new RemoteRegistry(folder, createLog('silent'));
  judge = new CanaryJudge(registry, createLog('silent'), async (decision) => void decided.push(decision));
});
afterEach(() => {
  judge.stop();
  rmSync(folder, { recursive: true });
});

const move = (to: Pointer, minutes = 0) =>
  movePointer(home, {
    at: new Date(Date.now() - minutes * 60_000),
    who: 'team',
    what: to.canary ? 'canary' : 'publish',
    to,
  });
/** Each of these users mounts it three times, from a network of its own. */
async function tell(users: readonly Caller[], isBad = false, remote: string | null = 'map'): Promise<void> {
  for (const me of users) {
    const version = versionFor(me, (await registry.pointerOf('map')) ?? { version: GOOD });
    const about = { remote, version };
    const error = { kind: 'crash' as const, ...about, message: 'x', stack: '', count: 3, faultyMounts: 3 };
    const mounts = remote === null ? [] : Array.from({ length: 3 }, () => ({ remote, version, ms: 300 }));
    await judge.take(me, `10.0.${me.user.id % 256}.1`, { shell: '', mounts, errors: isBad ? [error] : [] });
  }
}
const ENOUGH = OURS.slice(0, LEAST_USERS);
const [LAST, ...ALMOST] = ENOUGH as [Caller, ...Caller[]];

it('takes back what is worse with the report that is enough, and tells of it', async () => {
  await move(begun(CANARY));
  await tell(OTHERS);
  // These reports name no remote, one that is not there, and the version that everybody has.
  await tell(OURS, true, null);
  await tell(OURS, true, 'none');
  await tell(ALMOST, true);
  expect(decided).toEqual([]);
  await tell([LAST], true);
  const why = expect.stringMatching(/^errors in 100 % of 30 mounts/) as string;
  expect(decided).toEqual([{ name: 'map', version: CANARY, what: 'rollback', why }]);
  expect(await readPointer(home)).toEqual({ version: GOOD, withdrawn: [CANARY] });
  expect((await readHistory(home)).at(-1)).toMatchObject({ who: 'pool', what: 'rollback', why });
});

it('promotes what is as good when its time is over', async () => {
  await move(begun(CANARY, 60), 61);
  await tell([...OTHERS, ...ALMOST]);
  expect(decided).toEqual([]);
  await tell([LAST]);
  expect(decided).toMatchObject([{ version: CANARY, what: 'promote' }]);
  expect(await readPointer(home)).toEqual({ version: CANARY });
});

it.each<[string, Pointer]>([
  ['another version', { version: NEXT }],
  ['another canary', begun(NEXT)],
  ['the canary beside another version', { ...begun(CANARY), version: NEXT }],
  ['no canary any more', { version: GOOD }],
])('moves nothing when a team has served %s a moment ago', async (_, to) => {
  await move(begun(CANARY));
  await tell(OTHERS);
  await tell(ALMOST, true);
  await registry.listFor(null);
  await move(to);
  // The registry has not noticed it yet.
  await tell([LAST], true);
  expect(decided).toEqual([]);
  expect(await readPointer(home)).toEqual(to);
});

it.each<[string, Pointer[]]>([
  ['another canary', [begun(NEXT)]],
  ['the same canary, which began anew', [{ version: GOOD }, begun(CANARY)]],
])('counts nothing of before for %s', async (_, moves) => {
  await move(begun(CANARY));
  await tell(OTHERS);
  await tell(ALMOST, true);
  for (const to of moves) {
    await move(to);
    const isNoticed = async () => (await registry.pointerOf('map'))?.canary?.version === to.canary?.version;
    await eventually(isNoticed, 'the move is noticed');
    await tell(OTHERS);
  }
  await tell([LAST], true);
  expect(decided).toEqual([]);
  await tell(ALMOST, true);
  expect(decided).toHaveLength(1);
});
