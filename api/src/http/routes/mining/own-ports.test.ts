/** Ports of sub-accounts: what the proxy is told to open, and which ports miners are shown. */
import type { Connection } from '@pool/shared/api/contract';
import { pgPortList } from '../../../mining/upstreams/own-ports';
import { PoolChanges } from '../../../stratum/pool-changes';
import type { PortList } from '../../../stratum/ports';
import { testApp, type Person, type TestApp } from '../../testing/test-app';

let test: TestApp;
let owner: Person;
let admin: Person;
let ports: PortList;
let id: number;
let changed = 0;
const changes = new PoolChanges();

beforeAll(async () => {
  test = await testApp({ changes, stratum: { tlsPorts: [{ algorithm: 'SCRYPT', port: 3352 }] } });
  owner = await test.person('owner');
  admin = await test.person('boss', { role: 'admin' });
  ports = pgPortList(test.database.pool, changes);
  ports.onChange(() => {
    changed += 1;
  });
  id = ((await owner.post('/api/subAccounts/', { name: 'owner-two' })).body as { id: number }).id;
});
beforeEach(() => {
  changed = 0;
});
afterAll(() => test.close());

const edit = async (body: object): Promise<number> =>
  (await admin.put(`/api/admin/subAccounts/?id=${id}`, body)).status;
const shown = async () =>
  ((await owner.call('/api/connectionInfo/?userName=owner-two')).body as Connection[]).map(
    ({ algorithm, port, tlsPort, dedicated }) => [algorithm, port, tlsPort, dedicated],
  );

it('a new sub-account has none', async () => {
  expect(await ports.all()).toEqual([]);
  expect(await shown()).toEqual([
    ['SHA256_ASICBOOST', 3311, null, false],
    ['SCRYPT', 3312, 3352, false],
  ]);
});

it.each([
  [
    { ports: { SHA256_ASICBOOST: 24_001 }, proxyPort: 24_003 },
    ['SHA256_ASICBOOST', 24_001, 'SCRYPT', 24_003],
    [24_001, 24_003],
  ],
  [{ ports: { SCRYPT: 24_002 }, proxyPort: 24_003 }, ['SCRYPT', 24_002, 'SHA256_ASICBOOST', 24_003], [24_003, 24_002]],
  [
    { ports: { SHA256_ASICBOOST: 24_001, SCRYPT: 24_002 }, proxyPort: 24_003 },
    ['SCRYPT', 24_002, 'SHA256_ASICBOOST', 24_001, 'SHA256_ASICBOOST', 24_003],
    [24_001, 24_002],
  ],
])('%j: each port has one algorithm, and is shown for that one', async (change, open, connect) => {
  expect(await edit(change)).toBe(200);
  expect(changed).toBe(1);
  expect(
    (await ports.all()).flatMap(({ subAccountId, algorithm, port }) => [
      subAccountId === id ? algorithm : 'another',
      port,
    ]),
  ).toEqual(open);
  expect((await shown()).map(([, port]) => port)).toEqual(connect);
});

it('the proxy is notified of ports, not of other edits or refused ones', async () => {
  expect(await edit({ thresholdSat: 1_000_000 })).toBe(200);
  expect(await edit({ proxyPort: 3311 })).toBe(409);
  expect(await edit({ proxyPort: 3352 })).toBe(409);
  expect(changed).toBe(0);
  expect((await admin.put('/api/bulkUpdateSubAccounts', { updates: [{ id, proxyPort: 24_005 }] })).status).toBe(200);
  expect(changed).toBe(1);
});

it('a deleted sub-account has none', async () => {
  expect((await owner.del(`/api/subAccounts/${id}`)).status).toBe(200);
  expect([changed, await ports.all()]).toEqual([1, []]);
});
