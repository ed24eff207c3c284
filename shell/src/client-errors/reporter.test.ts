import type { ApiClient } from '@pool/shared';
import { pageReports, type PageReport } from '@pool/shared/page-start';
import { RemoteFailure } from '../remotes/failure';
import { beginMount } from '../remotes/mount-report';
import { Reporter } from './reporter';

const sent: { mounts: object[]; errors: { kind: string; message: string; faultyMounts: number }[] }[] = [];
const api = jest.fn(async (_call: string, { body }: { body: (typeof sent)[number] }) => {
  sent.push(body);
});
const reporter = () => new Reporter(api as unknown as ApiClient);

const error = (message: string, file = '/remotes/workers/1.0.0/app.js', extra: object = {}): Error =>
  Object.assign(
    new Error(message),
    { stack: `Error: ${message}\n    at run (https://pool.example${file}:1:20)` },
    extra,
  );
const thrown = (cause: unknown): PageReport => new ErrorEvent('error', { error: cause });
const phase = (name: 'begun' | 'ended', ms: number | null = null) =>
  ({ remote: 'workers', version: '1.0.0', phase: name, ms }) as PageReport;

beforeEach(() => {
  jest.useFakeTimers();
  sent.length = 0;
  api.mockClear();
});
afterEach(() => jest.useRealTimers());

test('a mount and its errors: named by the files in the stack, counted, without what names a person', async () => {
  const it = reporter();
  it.take(phase('begun'));
  it.take(phase('ended', 120));
  for (let n = 0; n < 34; n += 1) it.take(thrown(error('no answer of /api/x?account=ann for ann@example.com')));
  await jest.runAllTimersAsync();
  expect(sent).toEqual([
    {
      shell: '',
      mounts: [{ remote: 'workers', version: '1.0.0', ms: 120 }],
      errors: [
        {
          kind: 'error',
          remote: 'workers',
          version: '1.0.0',
          message: 'Error: no answer of /api/x for …',
          stack: 'at run (/remotes/workers/1.0.0/app.js:1:20)',
          count: 34,
          faultyMounts: 1,
        },
      ],
    },
  ]);
});

test('a failure that is reported as an error too is one; a slow mount is no faulty one', async () => {
  const it = reporter();
  const cause = error('broken');
  it.take(phase('begun'));
  it.take({
    remote: 'workers',
    version: '1.0.0',
    phase: 'failed',
    error: new RemoteFailure('crashed', 'workers', cause),
  });
  it.take(thrown(cause));
  it.take(phase('begun'));
  it.take(phase('ended', 4_000));
  await jest.runAllTimersAsync();
  expect(sent[0]?.errors).toMatchObject([
    { kind: 'crash', message: 'Error: broken', faultyMounts: 1 },
    { kind: 'slow', faultyMounts: 0 },
  ]);
});

test('no request is longer than the server takes, and an error without an end does not send without one', async () => {
  const it = reporter();
  for (let n = 0; n < 2_000; n += 1) it.take(thrown(error(`${'слово '.repeat(60)}${n % 300}`)));
  it.take(thrown(error('字 '.repeat(300), `/remotes/workers/1.0.0/${'字/'.repeat(300)}`)));
  it.take(phase('begun'));
  it.take(phase('ended', 120));
  await jest.runAllTimersAsync();
  expect(Math.max(...sent.map((body) => Buffer.byteLength(JSON.stringify(body))))).toBeLessThan(2_048);
  expect(sent.flatMap(({ mounts }) => mounts)).toHaveLength(1);
  expect(sent.at(-1)?.errors.at(-1)?.message).toContain('字');
  for (let n = 0; n < 100; n += 1) {
    it.take(thrown(error(`again ${n}`)));
    await jest.runAllTimersAsync();
  }
  expect(sent.length).toBeLessThan(50);
});

test('errors seconds after a mount are told of that mount, once; a mount that a left page gives up is told of too', async () => {
  const it = reporter();
  it.take(phase('begun'));
  it.take(phase('ended', 120));
  for (const ms of [100, 1_400, 1_000, 7_500]) {
    await jest.advanceTimersByTimeAsync(ms);
    it.take(thrown(error(`after ${ms}`)));
  }
  await jest.runAllTimersAsync();
  expect(sent.map(({ mounts, errors }) => [mounts.length, errors.map(({ faultyMounts }) => faultyMounts)])).toEqual([
    [1, [1]],
    [0, [0]],
    [0, [0]],
    [0, [0]],
  ]);
  const end = beginMount({ name: 'workers', version: '1.0.0' });
  dispatchEvent(new Event('pagehide'));
  end(true);
  expect(pageReports().splice(0)).toMatchObject([{ phase: 'begun' }, { phase: 'ended', ms: null }]);
});

test('what an ad blocker keeps from the server is lost without a word, and later reports are sent', async () => {
  api.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  const it = reporter();
  it.take(thrown(error('lost')));
  await jest.runAllTimersAsync();
  it.take(thrown(error('sent')));
  await jest.runAllTimersAsync();
  expect(sent.flatMap(({ errors }) => errors.map(({ message }) => message))).toEqual(['Error: sent']);
});

test('aborted requests, extensions and errors of nobody are not told', async () => {
  const it = reporter();
  it.take(thrown(error('stopped', undefined, { name: 'AbortError' })));
  it.take(thrown(error('theirs', '', { stack: 'at chrome-extension://abc/x.js:1:1' })));
  it.take(new ErrorEvent('error', { message: 'Script error.' }));
  await jest.runAllTimersAsync();
  expect(sent).toEqual([]);
});
