/** The API's description is valid OpenAPI 3.1 and contains exactly the calls of the contract. */
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { contract, type Call, type Endpoint } from '@pool/shared/api/contract';
import { ALL_ACCOUNTS } from '@pool/shared/domain';
import { appOfFile, type Person, type TestApp } from '../testing/test-app';
import { WALK } from '../testing/walk';

type Operation = {
  tags: string[];
  summary: string;
  description?: string;
  security: object[];
  parameters?: { name: string; in: string }[];
  requestBody?: object;
  responses: Record<string, object>;
};
type Document = { openapi: string; paths: Record<string, Record<string, Operation>> };

const test = appOfFile();
let document: Document;
beforeAll(async () => {
  document = await test.visitor.read<Document>('/api/docs/json');
});

it('is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  expect((await validator.validate(structuredClone(document))).errors).toBeUndefined();
  expect(validator.version).toBe('3.1');
});

it('has every call of the contract, and no other', () => {
  const described = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/^\/api/, '')}`),
  );
  expect(described.sort()).toEqual(Object.keys(contract).sort());
});

it('says who may make a call, what it takes, and that any other answer is a problem', () => {
  const security = { visitor: [], user: [{ session: [] }], watcher: [{ session: [] }, { token: [] }] };
  for (const [call, endpoint] of Object.entries<Endpoint>(contract)) {
    const [method = '', path = ''] = call.split(' ');
    const operation = document.paths[`/api${path}`]?.[method.toLowerCase()];
    expect([call, operation]).toMatchObject([
      call,
      {
        tags: [endpoint.requires?.subject ?? 'public'],
        responses: {
          [endpoint.status ?? 200]: { description: expect.any(String) },
          default: { $ref: '#/components/responses/Problem' },
        },
      },
    ]);
    expect([call, operation?.security]).toEqual([call, security[endpoint.who]]);
    expect([call, operation?.description !== undefined]).toEqual([call, endpoint.sudo === true]);
    const where = (operation?.parameters ?? []).map((parameter) => parameter.in);
    expect([call, where.includes('query'), where.includes('path'), operation?.requestBody !== undefined]).toEqual([
      call,
      endpoint.query !== undefined,
      endpoint.params !== undefined,
      endpoint.body !== undefined,
    ]);
  }
});

it('a call that waits has a row of who confirms, what is shown and what takes it back, and no other call has', () => {
  const [, page = ''] = readFileSync('docs/security.md', 'utf8').split('## Who confirms\n');
  const rows = [...page.split('\n## ')[0]!.matchAll(/^\| `([A-Z]+ [^`]+)` \| (.+?) \| (.+?) \| (.+?) \|$/gm)];
  const waiting = Object.entries<Endpoint>(contract).filter(([, { waits }]) => waits);
  expect(rows.map(([, call]) => call).sort()).toEqual(waiting.map(([call]) => call).sort());
  const who = { owner: /owner|same/, admin: /admin|same/, time: / h\b|hold|hours|same/ };
  for (const [call, { waits }] of waiting) {
    const [, , said = ''] = rows.find((row) => row[1] === call) ?? [];
    expect([call, waits?.for.filter((each) => !who[each].test(said))]).toEqual([call, []]);
  }
});

it('a call that names sub-accounts or workers by number says so, which a limited role is held to', () => {
  const named = ({ query, body, params }: Endpoint, path: string) => {
    const keys = [query, body].flatMap((part) => Object.keys((part as { shape?: object } | undefined)?.shape ?? {}));
    if (keys.includes('subAccountId')) return 'account';
    if (keys.includes('worker')) return 'workers';
    return path.startsWith('/workers/') && (params !== undefined || keys.includes('ids')) ? 'workers' : undefined;
  };
  for (const [call, endpoint] of Object.entries<Endpoint>(contract))
    expect([call, endpoint.names]).toEqual([call, named(endpoint, call.split(' ')[1] ?? '')]);
});

/** Writes that move neither hashpower, money, people nor rights, and why. */
const WITHOUT_SUDO: Record<string, string> = {
  'POST /requestBonus': 'open to visitors; an admin decides',
  'POST /subAccounts/': 'a new one has nothing',
  'DELETE /subAccounts/{id}': 'only one without a balance and without a share in 24 h',
  'PUT /workers/{id}': 'alerts',
  'POST /workers/bulk': 'groups, alerts and workers that are gone',
  'PUT /farmEvents/{id}': 'alerts',
  'POST /workerJoins': 'names of workers; undone for a week',
  'POST /workerJoins/part': 'names of workers',
  'POST /workerGroups/': 'groups',
  'PUT /workerGroups/{name}': 'groups and their alerts',
  'DELETE /workerGroups/{name}': 'groups',
  'DELETE /poolConfigs/{id}': 'only one that is in no list',
  'POST /poolConfigs/test': 'changes nothing',
  'POST /admin/stopPayoutRun': 'a warned admin acts at once; nothing is sent',
  'DELETE /watchers/{id}': 'takes a right away',
  'DELETE /apiKeys/{id}': 'takes a right away',
  'DELETE /organization/invitations/{id}': 'takes a right away',
  'DELETE /organization/members/{id}/removal': 'keeps what is',
  'DELETE /organization/requests/{id}': 'drops what has not happened',
  'DELETE /waiting/{id}': 'the same',
  'POST /exports': 'a line of the log',
  'POST /remotes/token': 'an admin has allowed the other server; here it opens nothing',
  'POST /organization/leave': 'takes a right of their own away',
  'POST /organization/invitation': 'it reads; its secret stands in no address',
  'POST /organization/join': 'an owner has given the right',
  'PUT /organization': 'a name',
  'POST /referral/code': 'a code of their own',
  'POST /referral/activate': "once, and only the pool's share changes",
  'POST /notifications/read': 'marks',
  'PUT /admin/remotes/{name}/slots': 'shows or hides a part of a page',
  'PUT /admin/remotes/{name}/flags': 'the same, for some users',
  'PUT /alerts': 'what concerns security is told in any case',
  'POST /alerts/stopped': 'alerts',
  'PUT /accountLimits': 'alerts',
  'POST /client-errors': 'figures of remotes',
  'POST /telegram/{id}/test': 'a message to the own chat',
  'DELETE /telegram/{id}': 'the chat is told',
  'POST /webhooks/{id}/test': 'a message to an own address',
  'DELETE /webhooks/{id}': 'takes an address away',
  'DELETE /push/{id}': 'takes a browser away',
  'POST /telegram/auth': 'confirms a link, which needed a recent sign-in',
};

it('every write moves hashpower, money, people or rights and needs a recent sign-in, or is listed with the reason', () => {
  const open = Object.entries(contract as Record<string, Endpoint>).filter(
    ([call, { sudo }]) => !call.startsWith('GET ') && sudo === undefined,
  );
  expect(open.map(([call]) => call).sort()).toEqual(Object.keys(WITHOUT_SUDO).sort());
});

it('only calls that read are about all sub-accounts together', () => {
  const ofAll = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      JSON.stringify(operation).includes(`"${ALL_ACCOUNTS}"`) ? `${method} ${path}` : [],
    ),
  );
  expect(ofAll).toContain('get /api/liveWorkers/');
  expect(ofAll.filter((call) => !call.startsWith('get '))).toEqual([]);
});

it('is also an HTML page', async () => {
  const page = await test.visitor.call('/api/docs');
  for (const call of Object.keys(contract)) expect(page.text).toContain(`<code>${call.replace(' ', ' /api')}</code>`);
});

describe('a parameter or field that is wrong', () => {
  let admin: TestApp['visitor'];
  beforeAll(async () => {
    admin = await test.person('operator', { role: 'admin' });
  });
  const refusedFor = async (url: string, as: 'visitor' | 'admin', request = {}): Promise<unknown> => {
    const caller = as === 'admin' ? admin : test.visitor;
    const { status, body } = await caller.call(`/api${url}`, request);
    return [status, (body as { errors?: { message: string }[] }).errors?.map(({ message }) => message)];
  };

  it('is refused when no call knows it, with and without parameters of its own', async () => {
    expect(await refusedFor('/algorithms/?x=1', 'visitor')).toEqual([400, ['Unrecognized key: "x"']]);
    expect(await refusedFor('/hashprice?x=1', 'visitor')).toEqual([400, ['Unrecognized key: "x"']]);
  });
  it('is said to be missing, or to be what it is not', async () => {
    expect(await refusedFor('/admin/subAccounts/', 'admin', { method: 'PUT', body: {} })).toEqual([
      400,
      ['is missing'],
    ]);
    expect(await refusedFor('/admin/subAccounts/?id=x', 'admin', { method: 'PUT', body: {} })).toEqual([
      400,
      ['is not a whole number'],
    ]);
  });
});

describe('values that broke servers before', () => {
  const HOSTILE: unknown[] = [
    ...[null, true, [], {}, [[]], [null], { __proto__: null }, -1, 0, 1e-9, 1.5, 2_147_483_648, 1e21],
    ...['', ' ', 'null', '1e400', 'NaN', '٣', 'x'.repeat(5000), '../../etc/passwd', '__proto__', 'a\u0000b', '\ud800'],
    ...['\u202e', "'; drop table ledger; --", '<img src=x onerror=alert(1)>', '=HYPERLINK("x")', '2026-02-30'],
  ];
  const ODD = [
    '',
    '{',
    'null',
    '1e400',
    '"\\ud800"',
    '\ufeff{}',
    '{"a":1,"a":2}',
    '{"__proto__":{"x":1}}',
    '['.repeat(99),
  ];
  /** The suite sends a few of the requests. */
  const EVERY = process.env.HEAVY ? 1 : 41;
  const text = (value: unknown) =>
    encodeURIComponent((typeof value === 'string' ? value : JSON.stringify(value)).replace(/[\ud800-\udfff]/g, '%'));
  /** The value with each of its parts replaced, one at a time. */
  const spoiled = (value: unknown, hostile: unknown): unknown[] =>
    typeof value !== 'object' || value === null
      ? [hostile]
      : Object.entries(value).flatMap(([key, part]) =>
          [hostile, ...spoiled(part, hostile)].map((other) =>
            Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other },
          ),
        );

  it('are answered, in addresses, queries and bodies, by no call with a 5xx', async () => {
    const names = ['hostile', 'operator-two'] as const;
    const people: Person[] = [await test.person(names[0]), await test.person(names[1], { role: 'admin' })];
    await test.work([{ account: names[0], at: Date.now() / 1000 - 120, accepted: 1e6 }]);
    const one = await test.accountId(names[0]);
    const things = {
      ...{ workerId: 1, accountId: one, spareAccountId: one, watcherId: 1, keyId: 1, strangerId: one, telegramId: 1 },
      ...{ webhookId: 1, pushId: 1, pools: [1, 2, 3, 4], places: [1, 2] },
    };
    let turn = 0;
    const statuses = new Set<number>();
    const send = async (call: Call, path: string, raw?: string) => {
      turn += 1;
      if (turn % EVERY > 0) return;
      // The caller may have been changed by a call before.
      if (turn % 500 === 0) for (const person of people) await person.renew();
      const { requires }: Endpoint = contract[call];
      const who = people[requires?.subject === 'admin' ? 1 : turn % 2];
      const method = call.split(' ', 1)[0] as 'GET';
      const answer = await who!.call(path, { method, raw, address: `10.9.${(turn >> 8) & 255}.${turn & 255}` });
      statuses.add(answer.status);
      expect([call, path, raw, answer.status, answer.status < 500]).toEqual([call, path, raw, answer.status, true]);
      if (answer.status >= 400) expect(answer.headers['content-type']).toContain('application/problem+json');
    };
    for (const call of Object.keys(contract) as Call[]) {
      const { query, body, params }: Endpoint = contract[call];
      const { path: known, query: search, body: given } = WALK[call] ?? {};
      const url = `/api${call.slice(call.indexOf(' ') + 1)}`;
      const at = (value: unknown) => url.replace(/\{\w+\}/, () => text(value));
      const right = at(known?.(things) ?? 1);
      const whole = given?.(things, people[0]!) ?? {};
      for (const hostile of HOSTILE) {
        if (params) await send(call, at(hostile));
        for (const name of Object.keys(query?.shape ?? {})) {
          await send(call, `${right}?${name}=${text(hostile)}`);
          await send(call, `${right}${search?.(things) ?? '?'}&${name}[]=${text(hostile)}`);
        }
        if (body)
          for (const bad of [hostile, ...spoiled(whole, hostile)])
            await send(call, `${right}${search?.(things) ?? ''}`, JSON.stringify(bad));
      }
      if (body) for (const odd of ODD) await send(call, right, odd);
    }
    // Not all of them were refused before the handler.
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 404]));
  });

  it('a NUL, which the database cannot store, is a 400', async () => {
    const owner = await test.person('owner');
    expect(await owner.call('/api/audit?subject=a%00b')).toMatchObject({ status: 400, code: 'invalid_request' });
  });
});
