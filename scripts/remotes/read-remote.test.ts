/** What a remote's `remote.json`, texts and links may say. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type * as Files from '../build/files';
import { ROOT } from '../build/files';
import { readRemote } from './source';

// A checkout with one remote, which each test changes.
jest.mock('../build/files', () => {
  const ROOT = mkdtempSync(path.join(tmpdir(), 'pool-remote-'));
  return { ...jest.requireActual<typeof Files>('../build/files'), ROOT };
});

const UNIT = path.join(ROOT, 'mfe-referral');
beforeAll(() =>
  cpSync(path.join(__dirname, '../../mfe-referral'), UNIT, {
    recursive: true,
    filter: (file) => !/\/(dist|node_modules)$/.test(file),
  }),
);
afterAll(() => rmSync(ROOT, { recursive: true }));

/** What is said when `from` stands as `to` in a file. */
function refusal(file: string, from: string, to: string): string {
  const at = path.join(UNIT, file);
  const before = readFileSync(at, 'utf8');
  expect(before).toContain(from);
  writeFileSync(at, before.replace(from, to));
  try {
    readRemote('referral');
    return 'no fault';
  } catch (error) {
    return (error as Error).message;
  } finally {
    writeFileSync(at, before);
  }
}

test('as it is, nothing is refused', () => expect(refusal('remote.json', '{', '{')).toBe('no fault'));

test('a link to another site is taken', () => {
  expect(refusal('remote.json', '"path": "/referral/"', '"path": "https://help.example/friends?tab=2"')).toBe(
    'no fault',
  );
});

test.each([
  ['"contract": 1,', '', 'remote.json: contract: '],
  ['"name": "referral"', '"name": "referrals"', 'remote.json: name: is not the name of its folder'],
  ['"requires"', '"require"', '"require"'],
  [
    '"order": 4',
    '"order": 4, "badge": { "count": "offline-workers", "label": "nav.offline" }',
    "remote.json: nav[0].badge.label: 'nav.offline' is not a text",
  ],
  [
    '"path": "/referral/"',
    '"path": "/referral/friends"',
    'remote.json: nav[0]: src/routes.tsx has no route for /referral/friends',
  ],
  [
    '"contract": 1,',
    '"contract": 1, "commands": [{ "path": "/referral/", "label": "nav.friends" }],',
    "remote.json: commands[0].label: 'nav.friends' is not a text",
  ],
  [
    '"contract": 1,',
    '"contract": 1, "subjects": { "referral.x": { "read": { "action": "read", "subject": "referral" } } },',
    "locales/ar.json: no text 'referral.x'",
  ],
  [
    '"order": 4',
    '"order": 4, "badge": { "count": { "call": "GET /friends", "field": "total" }, "label": "referral.nav" }',
    "remote.json: nav[0].badge.count.call: the contract has no 'GET /friends'",
  ],
  ['"contract": 1,', '"contract": 1, "groups": { "admin.nav": {} },', 'is not a group of this remote'],
  ['"label": "referral.nav"', '"label": "referral.menu"', "locales/ar.json: no text 'referral.menu'"],
])('%s changed to %s is refused', (from, to, message) => {
  expect(refusal('remote.json', from, to)).toContain(message);
});

test('a text that is not the remote’s own is refused', () => {
  expect(refusal('locales/fr.json', '{', '{ "workers.title": "Machines",')).toContain(
    "locales/fr.json: 'workers.title' is not a text of this remote",
  );
});

test('the path of a page of another remote is refused', () => {
  mkdirSync(path.join(ROOT, 'mfe-friends'));
  writeFileSync(path.join(ROOT, 'mfe-friends/remote.json'), '{ "name": "friends", "basePath": "/friends" }');
  expect(refusal('src/app.ts', 'CONTRACT;', "CONTRACT;\nconsole.info('/friends/all');")).toContain(
    "mfe-referral/src/app.ts: /friends/all is a page of 'friends': link to it by its id",
  );
});
