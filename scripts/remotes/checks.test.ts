import type { CountOfCall, NavEntry, RemoteSource } from '../../shared/src/contract';
import { faultsOfBadges } from './badges';
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { filesBelow, ROOT } from '../build/files';
import { REMOTES } from '../build/names';
import { faultsOfKeys, faultsOfPages, SHELLS_KEYS } from './others';
import { routesIn } from './routes';
import { assertOwnStyles } from './styles';
import { usesIn } from './uses';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { poolAt, surfaceAt } from './pool';
import { signingKey } from './signing';
import { me } from './team';
import { newFolder } from '../../api/src/testing/folder';

describe('counts beside links', () => {
  const WORKERS: CountOfCall = {
    call: 'GET /getWorkerCount/',
    query: { subAccountName: '{account}', algorithm: '{algorithm}' },
    field: 'offline',
  };
  const faults = (over: Partial<CountOfCall>, requires?: NavEntry['requires']): string[] => {
    const badge = { count: { ...WORKERS, ...over }, label: 'power.count' };
    const link: NavEntry = { path: '/power/', label: 'power.nav', icon: 'workers', order: 1, badge, requires };
    const remote: RemoteSource = { name: 'power', contract: 1, basePath: '/power', nav: [link] };
    return faultsOfBadges(remote);
  };

  const USERS: Partial<CountOfCall> = { call: 'GET /admin/overview', query: {}, field: 'users' };

  test.each<[string, Partial<CountOfCall>, string]>([
    ['a call that is not there', { call: 'GET /getWorkersCount/' }, "the contract has no 'GET /getWorkersCount/'"],
    ['a call of one thing', { call: 'GET /workers/{id}/events', query: {} }, 'the contract has no'],
    ['a query that the call does not take', { query: { account: '{account}' } }, 'query: '],
    ['a value that is none', { query: { ...WORKERS.query, algorithm: 'MD5' } }, 'query: algorithm: '],
    ['a field that is not in the answer', { field: 'broken' }, "has no number 'broken'"],
    ['a field that is no number', { call: 'GET /getUserInfo/', query: {}, field: 'user.userName' }, 'has no number'],
    ['a call that not every reader may make', USERS, 'the link needs a `requires`'],
  ])('refuses a count of %s', (_, over, message) => {
    expect(faults(over).join('\n')).toContain(message);
    expect(faults(over)).toHaveLength(1);
  });

  test('takes a number of an answer that every reader of the link gets', () => {
    expect(faults({})).toEqual([]);
    expect(faults(USERS, { action: 'manage', subject: 'admin' })).toEqual([]);
  });
});

describe('pages of other remotes', () => {
  const folder = newFolder();

  const OTHERS = [{ name: 'workers', basePath: '/workers', links: { pools: '/workers/pools' } }] as const;
  const faults = (code: string, file = 'page.tsx'): string[] => {
    writeFileSync(path.join(folder, file), code);
    return faultsOfPages(folder, OTHERS);
  };

  test.each([
    `<Link to="/workers/pools">`,
    "navigate('/workers')",
    'const to = `/workers/${id}`;',
    '<Link to={`/workers/?${params}`}>',
    `<a href='/workers#top'>`,
  ])('refuses the path of another remote’s page: %s', (code) => {
    expect(faults(code)).toEqual([
      expect.stringMatching(/^src\/page\.tsx: \/workers\S* is a page of 'workers': link to it/),
    ]);
  });

  test.each([
    `<PageLink page="workers.pools">`,
    `<PageLink page="map.list">`,
    "api('GET /workers/{id}/events')",
    "'/workersets/'",
  ])('takes %s', (code) => expect(faults(code)).toEqual([]));

  test('refuses an id that the other remote does not have', () => {
    expect(faults(`<PageLink page="workers.pool">`)).toEqual([
      "src/page.tsx: 'workers.pool' is no page that mfe-workers/remote.json has in its `links`",
    ]);
    expect(faults('')).toEqual([]);
    expect(faults(`<Link to="/workers/pools">`, 'page.test.tsx')).toEqual([]);
  });
});

describe('keys that all code of a page shares', () => {
  const folder = newFolder();
  const faults = (code: string): string[] => {
    writeFileSync(path.join(folder, 'page.jsx'), code);
    return faultsOfKeys(folder, 'power', [{ name: 'workers', basePath: '/workers' }]);
  };

  test.each([
    [
      "localStorage.setItem('user.theme', x)",
      "'user.theme' is not stored by this remote: its keys begin with 'power.'",
    ],
    ['storage(sessionStorage)?.removeItem(`user.${x}`)', "'user.' is not stored"],
    ["useQuery({ queryKey: ['userInfo', id] })", "the query key 'userInfo' is not this remote's"],
    ["queryOptions({ queryKey: ['workers'] })", "the query key 'workers' is not this remote's"],
  ])('refuses %s', (code, fault) => expect(faults(code)).toEqual([expect.stringContaining(fault)]));

  test('takes those of the remote', () => {
    expect(faults("localStorage.setItem('power.view', x); useQuery({ queryKey: ['power', id] })")).toEqual([]);
  });

  test('knows those of the shell', () => {
    const keysIn = (unit: string): string[] => {
      const src = path.join(ROOT, unit, 'src');
      const names = filesBelow(src).filter((name) => /(?<!\.test)\.tsx?$/.test(name));
      const code = names.map((name) => readFileSync(path.join(src, name), 'utf8')).join('\n');
      return [...code.matchAll(/(?:queryKey:|KEY\w* =) \[\s*'([\w-]+)'/g)].map(([, key = '']) => key);
    };
    const remotes = new Set(REMOTES.flatMap((name) => keysIn(`mfe-${name}`)));
    const keys = ['shell', 'shared'].flatMap(keysIn).filter((key) => !remotes.has(key));
    expect(keys.filter((key) => !SHELLS_KEYS.includes(key))).toEqual([]);
  });
});

it('reads the paths of routes, nested ones too', () => {
  const source = `
    export const Pages = () => (
      <Routes>
        <Route index element={<List />} />
        <Route path=":id?" element={<One />} />
        <Route element={<Frame />}>
          <Route path="map" element={<Map />}>
            <Route index element={<Whole />} />
            <Route path="area/:name" element={<Area />} />
          </Route>
        </Route>
        <Route path="help/*" element={<Help />} />
        <Route path="*" element={<Denied />} />
      </Routes>
    );`;
  expect(routesIn(source)).toEqual(['', '/:id', '/map', '/map/area/:name', '/help/*']);
});

it('refuses a path that only running the code would tell', () => {
  expect(() => routesIn('export const a = <Route path={where} />;')).toThrow('has to be a text');
});

describe('styles of a version', () => {
  const folder = newFolder();
  const check = (css: string) => {
    writeFileSync(path.join(folder, 'app.css'), css);
    writeFileSync(path.join(folder, 'app.js'), 'var s={card:"own",item:"x-2"};e("ant-btn ant-x")');
    assertOwnStyles('power', folder);
  };

  test.each([
    '.own{color:red}',
    'nav .own a:hover>.ant-btn',
    '[data-mode=dark] .own::before',
    ':is(.own,.x-2) a',
    '[role=alert]:has(+.own)',
    '.own{& a{b:c} :root &{b:c} a{b:c}}',
    '@media print{.x-2{b:c}}@keyframes k{from{b:c}to{b:c}}@font-face{src:url(a)}',
  ])('take %s', (css) => expect(() => check(css.includes('{') ? css : `${css}{b:c}`)).not.toThrow());

  test.each([
    ['body:has(.own) nav a{color:red!important}', 'body:has(.own) nav a'],
    ['.own,a{b:c}', 'a'],
    [':not(.own){b:c}', ':not(.own)'],
    [':is(.own,nav) a{b:c}', ':is(.own,nav) a'],
    ['.ant-btn{b:c}', '.ant-btn'],
    ['.other{b:c}', '.other'],
    ['.own{body:has(&) nav{b:c}}', 'body:has(&) nav'],
    ['@media print{:root{b:c}}', ':root'],
  ])('refuse %s', (css, selector) =>
    expect(() => check(css)).toThrow(`app.css: '${selector}' is not about elements of this remote alone`),
  );
});

describe('what a version uses', () => {
  const CORE = '@pool/shared/ui/core';
  const named = [
    `${CORE} · Empty`,
    `${CORE} · PageHeader`,
    `${CORE} · type Tone`,
    'Calls of the API · GET /fees',
    'CSS variables · --pool-gap',
    'Packages · react 19',
    'Texts · common.save',
  ];
  const uses = (code: string, others = '') => usesIn([{ file: 'app.tsx', code }], others, { named, provided: [CORE] });
  const ALWAYS = 'Packages · react 19';

  test.each([
    [`import { Empty } from '${CORE}';`, ['Empty']],
    [`import { Empty } from "${CORE}";`, ['Empty']],
    [`import React, { useState } from "react";\nimport {\n  Empty as None,\n  type Tone,\n} from "${CORE}"`, ['Empty']],
    [`export { Empty } from '${CORE}';`, ['Empty']],
    [`import { Gone } from '${CORE}';`, ['Gone']],
    [`import * as ui from "${CORE}";\nexport const a = <ui.PageHeader />;`, ['PageHeader']],
    [`export * from "${CORE}";\nconst Empty = 1;`, ['Empty']],
    [`const { PageHeader } = await import("${CORE}");`, ['PageHeader']],
    [`import type { Tone } from '${CORE}';`, []],
    [`import { Row } from '@pool/shared/ui/built-in';`, []],
  ])('%s', (code, names) => {
    expect(uses(code)).toEqual([...names.map((name) => `${CORE} · ${name}`), ALWAYS].sort());
  });

  test('a generic arrow function of a file without markup is read', () =>
    expect(usesIn([{ file: 'a.ts', code: 'const of = <T>(x: T): T => x;' }], '', { named, provided: [] })).toEqual([
      ALWAYS,
    ]));

  test('calls, texts and variables, in any quotes, in styles and in remote.json', () => {
    expect(uses('api("GET /fees"); t("common.save")')).toEqual([
      'Calls of the API · GET /fees',
      ALWAYS,
      'Texts · common.save',
    ]);
    expect(uses('', '.a { gap: var(--pool-gap) }\n"call": "GET /fees"')).toEqual([
      'CSS variables · --pool-gap',
      'Calls of the API · GET /fees',
      ALWAYS,
    ]);
  });
});

describe('the pool that a team names', () => {
  const SURFACE = '@pool/shared 1.0.0\n';

  /** Asks a server that answers so. */
  async function asked(answer: RequestListener): Promise<string> {
    const server = createServer(answer).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    try {
      return await surfaceAt(poolAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }
  const at =
    (hours: number): RequestListener =>
    (_, answer) =>
      answer.setHeader('date', new Date(Date.now() + hours * 3_600_000).toUTCString()).end(SURFACE);

  test('an address that is none, at which nothing answers, or no pool', async () => {
    expect(() => poolAt('pool.example')).toThrow("'pool.example' is no address of a pool: https://pool.example");
    await expect(surfaceAt(poolAt('http://127.0.0.1:65534'))).rejects.toThrow(
      /^http:\/\/127\.0\.0\.1:65534 does not answer: /,
    );
    await expect(asked((_, answer) => answer.writeHead(404).end('<h1>Not here</h1>'))).rejects.toThrow(
      '(/surface.txt: 404): is it a pool?',
    );
  });

  test('a clock that is a day off either way', async () => {
    expect(await asked(at(0))).toBe(SURFACE);
    await expect(asked(at(-24))).rejects.toThrow("is 1440 min ahead of the pool's: set it first");
    await expect(asked(at(24))).rejects.toThrow("is 1440 min behind the pool's: set it first");
  });

  test('a key that is not there', () => {
    process.env.REMOTE_SIGNING_KEY = '/nowhere/key.pem';
    try {
      expect(signingKey).toThrow('REMOTE_SIGNING_KEY: /nowhere/key.pem is no private key in PEM');
    } finally {
      delete process.env.REMOTE_SIGNING_KEY;
    }
  });
});

it('who publishes is a number where that is all there is of a user, as in containers', () => {
  jest.spyOn(os, 'userInfo').mockImplementation(() => {
    throw new Error('uv_os_get_passwd returned ENOENT');
  });
  expect(me()).toBe(`${process.getuid?.()}@${os.hostname()}`);
});
