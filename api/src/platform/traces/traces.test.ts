/** Traces as a collector gets them: a local one, over OTLP. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { json } from 'node:stream/consumers';
import pino from 'pino';
import { Bus, type BusEvent } from '../bus';
import { testApp, type TestApp } from '../../http/testing/test-app';
import { createLog } from '../log';
import { ShareIngest } from '../../mining/shares/ingest';
import { startTraces } from './traces';
import { newFolder } from '../../testing/folder';

type Sent = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  links?: { traceId: string }[];
  attributes: { key: string; value: Record<string, unknown> }[];
};

const sent: Sent[] = [];
const resources: Sent['attributes'] = [];
const logged: string[] = [];
const lines = new Writable({ write: (chunk: Buffer, _, done) => done(void logged.push(String(chunk))) });
const collector = createServer((request, response) => {
  void json(request).then((body) => {
    const { resourceSpans } = body as {
      resourceSpans: { resource: Pick<Sent, 'attributes'>; scopeSpans: { spans: Sent[] }[] }[];
    };
    sent.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
    resources.push(...resourceSpans.flatMap(({ resource }) => resource.attributes));
    // A collector that takes nothing is heard of once.
    response.writeHead(401).end('{}');
  });
});
const folder = newFolder();
let stop: () => Promise<void>;
let test: TestApp;

beforeAll(async () => {
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  process.env.OTEL_RESOURCE_ATTRIBUTES = 'deployment.environment.name=trial';
  stop = await startTraces(1, 'test', createLog('warn', lines));
  test = await testApp();
});
afterAll(async () => {
  await test.close();
  collector.close();
});

it('from a click to its statements, and from a share to what a page asks for by its event', async () => {
  const me = await test.person('anna');
  const click = '4bf92f3577b34da6a3ce929d0e0e4736';
  await me.call('/api/subAccounts/', { headers: { traceparent: `00-${click}-00f067aa0ba902b7-01` } });

  const events: BusEvent[] = [];
  const bus = new Bus();
  bus.subscribe((event) => events.push(event));
  const { pool } = test.database;
  const ingest = await ShareIngest.open({ pool, folder, log: pino({ level: 'silent' }), bus, flushMs: 3_600_000 });
  const share = {
    subAccountId: await test.accountId(me.name),
    algorithm: 'SCRYPT',
    worker: 'rig',
    difficulty: 1,
  } as const;
  for (const at of [Date.now(), Date.now()]) await ingest.share({ ...share, outcome: 'accepted', at });
  await ingest.stop();
  const data = events.find(({ type }) => type === 'hashrate')?.data as { traceparent: string };
  await me.call('/api/getLiveHashrates/', { headers: { traceparent: data.traceparent } });
  await stop();

  const named = (name: string): Sent[] => sent.filter((span) => span.name === name);
  const [request] = named('GET /api/subAccounts/');
  expect(request).toMatchObject({ traceId: click, parentSpanId: '00f067aa0ba902b7' });
  const statements = sent.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
  expect(statements.length).toBeGreaterThan(0);
  expect(JSON.stringify(statements)).toMatch(/select .* from/);
  // No values: neither names nor tokens.
  expect(JSON.stringify(sent)).not.toContain(me.name);

  const [first, second] = named('share');
  const counting = named('count shares').find(({ parentSpanId }) => parentSpanId === first?.spanId);
  expect(counting).toMatchObject({ traceId: first?.traceId, links: [{ traceId: second?.traceId }] });
  expect(data.traceparent).toBe(`00-${first?.traceId}-${counting?.spanId}-01`);
  expect(sent.filter(({ parentSpanId }) => parentSpanId === counting?.spanId).length).toBeGreaterThan(3);
  expect(named('GET /api/getLiveHashrates/')).toMatchObject([{ traceId: first?.traceId }]);

  expect(resources).toEqual(
    expect.arrayContaining([
      { key: 'service.name', value: { stringValue: 'mining-pool' } },
      { key: 'deployment.environment.name', value: { stringValue: 'trial' } },
    ]),
  );
  expect(logged).toEqual([expect.stringMatching(/Unauthorized.*traces are not taken/)]);
});
