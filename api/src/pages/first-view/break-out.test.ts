/** First views written to break out of where they run, and to learn of others. */
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { RemoteManifest } from '@pool/shared/contract';
import type { FirstViewRequest } from '@pool/shared/first-view';
import { bundlePrograms } from '../../../../scripts/build/server';
import { createLog } from '../../platform/log';
import { FirstViews } from './first-views';
import { RendererProcess } from './renderer-process';
import { eventually } from '../../testing/eventually';
import { newFolder } from '../../testing/folder';

const folder = newFolder();
const bundle = join(folder, 'renderer.mjs');
const log = createLog('silent');
const answer = async (url: string) => ({ status: 200, type: 'application/json', body: JSON.stringify({ url }) });

/** `body`: of a function of `request`, `get` and `isOut`, which says whether a value leads to the process. */
const script = (body: string): string => `
  const found = (value) => typeof value?.pid === 'number' || typeof value?.binding === 'function';
  const tries = [
    (value) => value.constructor.constructor('return process')(),
    (value) => value.constructor('return process')(),
    (value) => value.constructor.constructor('return this')().process,
    (value) => value.process,
    (value) => value,
  ];
  const isOut = (value) => tries.some((each) => { try { return found(each(value)); } catch { return false; } });
  var poolFirstView = { css: '', render: async (request, get) => ({
    html: String(await (async () => { ${body} })()), queries: [],
  }) };`;

const REQUEST = { basePath: '/a', pathname: '/a', search: '', userId: 'one' } as FirstViewRequest;
const remote = (name: string) => ({ name, version: '1.0.0' }) as RemoteManifest;

/** First views of these remotes, each of its script. */
const viewsOf = (scripts: Record<string, string>): FirstViews =>
  new FirstViews({ log, bundle, scriptOf: async ({ name }) => scripts[name] ?? null });

/** The view, once the process has started. */
async function shown(views: FirstViews, name: string, userId = 'one', search = ''): Promise<string> {
  const render = () => views.render(remote(name), { ...REQUEST, userId, search }, { get: answer, first: [] });
  return (await eventually(render, `the view of ${name}`)).html;
}

beforeAll(() => bundlePrograms(['api/src/pages/first-view/renderer.ts'], folder));

/** Ways out, each the body of a function that returns whether it got out. */
const WAYS: [way: string, body: string][] = [
  [
    'the constructors of what it is given',
    'return [URL, Response, setTimeout, MessageChannel, get, request, console].some(isOut);',
  ],
  ['its global object', 'return isOut(globalThis) || isOut(Object.getPrototypeOf(globalThis));'],
  [
    'an import, or the error of one',
    `const seen = [];
     for (const name of ['node:net', 'node:process', './renderer.mjs', 'data:text/javascript,0'])
       seen.push(await import(name).catch((error) => error));
     const promise = import('node:fs');
     promise.catch(() => undefined);
     return [...seen, promise].some(isOut);`,
  ],
  [
    'an error of a stack that is full',
    `const seen = [];
     const attempt = (run) => { try { run(); } catch (error) { seen.push(error); } };
     const deep = (run) => { attempt(() => deep(run)); attempt(run); };
     for (const run of [() => new URL('http://a/'), () => setTimeout(() => {}), () => clearTimeout(1)]) deep(run);
     return seen.length > 0 && seen.some(isOut);`,
  ],
  [
    'the frames of its stack',
    `const seen = [];
     Error.prepareStackTrace = (error, frames) => {
       seen.push(frames);
       for (const frame of frames) seen.push(frame, frame.getThis(), frame.getFunction());
       return '';
     };
     const look = () => new Error('here').stack;
     look();
     await new Promise((resolve) => setTimeout(() => resolve(look()), 0));
     await get('/api/a');
     look();
     Error.prepareStackTrace = undefined;
     return seen.length > 0 && seen.some(isOut);`,
  ],
  [
    'an answer, and the promise of one',
    `const promise = get('/api/a');
     const got = await promise;
     return [promise, got, got.body, got.status].some(isOut) || isOut(Object.getPrototypeOf(got));`,
  ],
  [
    'intrinsics that it has replaced',
    `const seen = [];
     const note = (name) => ({
       configurable: true,
       get() { seen.push(this); return undefined; },
       set(value) { seen.push(this, value); },
     });
     const names = ['address', 'later', 'done', 'then', 'status', 'kind', 'call'];
     for (const name of names) Object.defineProperty(Object.prototype, name, note(name));
     const { apply, call } = Function.prototype;
     Function.prototype.call = function (...args) {
       seen.push(this, ...args);
       return Reflect.apply(this, args[0], args.slice(1));
     };
     const { stringify, parse } = JSON;
     JSON.stringify = (...args) => (seen.push(...args), stringify(...args));
     JSON.parse = (...args) => (seen.push(...args), parse(...args));
     const { push } = Array.prototype;
     new URL('/a?b=c', 'http://d');
     await new Promise((resolve) => setTimeout(resolve, 0));
     for (const name of names) delete Object.prototype[name];
     Function.prototype.call = call;
     return seen.some(isOut);`,
  ],
  [
    'arguments that call back',
    `const seen = [];
     const spy = () => new Proxy(function () {}, {
       get(target, name, self) {
         seen.push(self);
         return name === Symbol.toPrimitive ? () => 'http://a/' : Reflect.get(target, name);
       },
       apply(target, self, args) { seen.push(self, ...args); return 'x'; },
     });
     const runs = [() => new URL(spy()), () => setTimeout(spy(), spy()), () => get(spy()), () => clearTimeout(spy())];
     for (const run of runs) try { await run(); } catch (error) { seen.push(error); }
     await new Promise((resolve) => setTimeout(resolve, 0));
     return seen.length > 0 && seen.some(isOut);`,
  ],
];
describe('a view', () => {
  let views: FirstViews;
  beforeAll(() => {
    const ways = WAYS.map(([, body]) => `async () => { ${body} }`);
    views = viewsOf({ a: script(`return [${ways.join()}][request.search]();`) });
  });
  afterAll(() => views.close());
  it.each(WAYS.map(([way], index) => [way, String(index)] as const))('does not get out by %s', async (_, index) => {
    expect(await shown(views, 'a', 'one', index)).toBe('false');
  });
});

it('makes no code from texts, and has nothing of Node', async () => {
  const names = ['process', 'require', 'fetch', 'Buffer', 'WebSocket', 'global', 'performance'];
  const views = viewsOf({
    a: script(`
      const kinds = [${names.map((name) => `typeof ${name}`).join()}];
      const runs = (name) => { try { return globalThis[name]('1') !== undefined; } catch { return false; } };
      const made = ['eval', 'Function'].filter(runs);
      return [...new Set(kinds), ...made].join();`),
  });
  expect(await shown(views, 'a')).toBe('undefined');
  views.close();
});

/** What this program of Node can do once the server has confined it, as if a script had got out of its context. */
const LOOSE = (port: number): string => `
  import dgram from 'node:dgram';
  import fs from 'node:fs';
  import net from 'node:net';
  import { spawn } from 'node:child_process';
  import { Worker } from 'node:worker_threads';
  const settled = (run) => new Promise((resolve) => {
    try { run(resolve); } catch (error) { resolve(error.code); }
  });
  const event = (made, good) => (resolve) =>
    made().once(good, () => resolve('out')).once('error', (error) => resolve(error.code));
  process.on('message', async () => {
    const codes = await Promise.all([
      settled(event(() => net.connect(${port}, '127.0.0.1'), 'connect')),
      settled(event(() => net.createServer().listen(0), 'listening')),
      settled(event(() => { const socket = dgram.createSocket('udp4'); socket.bind(0); return socket; }, 'listening')),
      settled((resolve) => resolve(fs.readFileSync('/etc/hostname') && 'out')),
      settled((resolve) => resolve(fs.writeFileSync('/tmp/first-view-was-here', 'x') ?? 'out')),
      settled(event(() => spawn('true'), 'spawn')),
      settled(event(() => new Worker('0', { eval: true }), 'online')),
      settled((resolve) => resolve(Object.keys(process.env).length === 0 ? 'empty' : 'out')),
    ]);
    process.send({ kind: 'loaded', css: codes.join() });
  });
  process.on('disconnect', () => process.exit());
  process.send({ kind: 'ready' });`;

it('a script that had got out would open no socket, no file, no process, on Linux by its kernel', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const loose = join(folder, 'loose.mjs');
  writeFileSync(loose, LOOSE((server.address() as AddressInfo).port));
  let over: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });
  const child = new RendererProcess({ code: '', log, bundle: loose, onExit: over });
  const codes = (await child.styles()).split(',');
  expect(codes).not.toContain('out');
  expect(codes).toEqual([
    'EMFILE',
    'EMFILE',
    'EMFILE',
    'ERR_ACCESS_DENIED',
    'ERR_ACCESS_DENIED',
    'ERR_ACCESS_DENIED',
    'ERR_ACCESS_DENIED',
    'empty',
  ]);
  expect(connections).toBe(0);
  child.end();
  await ended;
  server.close();
});

it("each remote has a process of its own: one that hangs keeps nobody else's from being rendered", async () => {
  const views = viewsOf({
    hangs: script('for (;;);'),
    works: script("return 'works'"),
  });
  expect(await shown(views, 'works')).toBe('works');
  const hanging = views.render(remote('hangs'), { ...REQUEST, userId: 'two' }, { get: answer, first: [] });
  expect(await shown(views, 'works')).toBe('works');
  expect(await hanging).toBeNull();
  views.close();
});

it('renders one view at a time, and a view gets the answers to its own calls', async () => {
  const views = viewsOf({
    a: `let now = 0, most = 0;
      var poolFirstView = { css: '', render: async ({ userId }, get) => {
        most = Math.max(most, (now += 1));
        const { body } = await get('/api/' + userId);
        await new Promise((resolve) => setTimeout(resolve, 1));
        now -= 1;
        return { html: [most, body].join(' '), queries: [] };
      } };`,
  });
  const users = ['one', 'two', 'three'];
  await shown(views, 'a');
  const made = await Promise.all(users.map((userId) => shown(views, 'a', userId)));
  expect(made).toEqual(users.map((userId) => `1 {"url":"/api/${userId}"}`));
  views.close();
});

it('120 views at once leave first views on, for this remote and the others', async () => {
  const views = viewsOf({
    a: script('const end = Date.now() + 60; while (Date.now() < end); return 1;'),
    b: script('return 2;'),
  });
  await shown(views, 'a');
  const made = await Promise.all(
    Array.from({ length: 120 }, (_, index) =>
      views.render(remote('a'), { ...REQUEST, userId: String(index) }, { get: answer, first: [] }),
    ),
  );
  expect(made.filter(Boolean).length).toBeLessThan(10);
  expect([await shown(views, 'a'), await shown(views, 'b')]).toEqual(['1', '2']);
  views.close();
});

it('a view knows nothing of the one before, and what the timers of those before hold is free', async () => {
  const views = viewsOf({
    a: `let count = 0, seen = [];
      ${script('const much = new Array(2e6).fill(count); setTimeout(() => much, 3e5); seen.push(request.userId); return [(count += 1), seen];')}`,
  });
  // Each holds 16 MB; a process has 128, and a version whose process ended rests for a minute.
  for (let user = 0; user < 16; user += 1) expect(await shown(views, 'a', String(user))).toBe(`1,${user}`);
  views.close();
});

it('a user has one view at a time, and those of a page that is gone are not rendered', async () => {
  const views = viewsOf({ a: script("await get('/api/a'); return 'shown';") });
  await shown(views, 'a');
  let calls = 0;
  const get = async (url: string) => {
    calls += 1;
    return answer(url);
  };
  const ask = (isGone: () => boolean) => views.render(remote('a'), REQUEST, { get, first: [], isGone });
  await Promise.all(Array.from({ length: 30 }, () => ask(() => false)));
  expect(calls).toBe(1);
  expect(await ask(() => true)).toBeNull();
  expect(calls).toBe(1);
  views.close();
});

it('a view that ends its process pauses its own version only', async () => {
  const views = viewsOf({
    ends: script('const all = []; for (;;) all.push(new Array(1e6).fill(all.length));'),
    works: script("return 'works'"),
  });
  expect(await shown(views, 'works')).toBe('works');
  const ended = views.render(remote('ends'), { ...REQUEST, userId: 'two' }, { get: answer, first: [] });
  const made = await shown(views, 'works');
  await ended;
  await eventually(() => views.size <= 1, 'the end of the process of the view that failed');
  expect([made, await shown(views, 'works')]).toEqual(['works', 'works']);
  expect(await views.render(remote('ends'), REQUEST, { get: answer, first: [] })).toBeNull();
  views.close();
});

it('ends a process that has nothing to do, and starts one when it has', async () => {
  const views = new FirstViews({ log, bundle, idleMs: 1, scriptOf: async () => script("return 'again'") });
  expect(await shown(views, 'a')).toBe('again');
  await eventually(() => views.size === 0, 'the end of the idle process');
  expect(await shown(views, 'a')).toBe('again');
  views.close();
});
