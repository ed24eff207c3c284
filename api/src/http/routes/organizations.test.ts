/** Members of an organization: what each role may do, sees and is told. */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { abilityFor } from '@pool/shared/ability';
import { contract, type Call, type Endpoint, type PoolHold, type WorkerGroup } from '@pool/shared/api/contract';
import { KEEP_HEADER } from '@pool/shared/page-start';
import { LIVE_KEYS } from '@pool/shared/query';
import type { OrganizationRole } from '@pool/shared/roles';
import { finishRemovals } from '../../accounts/organizations/removals';
import { mailAlerts } from '../../messages/mail/alerts';
import { writeNotes } from '../../messages/notifications';
import type { Channel } from '../../messages/outbox/outbox';
import { forwardPush } from '../../messages/push/forward';
import { forward } from '../../messages/telegram/forward';
import { ROOT } from '../../root';
import { factsOf } from '../auth/account-limits';
import type { Principal } from '../auth/principal';
import { authorise } from '../auth/authorise';
import { type Answer, appOfFile, type Person } from '../testing/test-app';
import { POOL, WALK, type Things } from '../testing/walk';
import { SUBJECT_OF } from './accounts/event-streams';

/** The tables of docs/security.md: what of the farm each role sees, and by which way. */
const DOC = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
const tableOf = (head: string): string[][] =>
  DOC.slice(DOC.indexOf(`| ${head} |`))
    .split('\n\n', 1)[0]!
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
const [HEAD = [], , ...LINES] = tableOf('of the farm');
const quoted = (cell: string | undefined): string[] =>
  [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
const ROLES = ['owner', 'manager', 'technician', 'accountant', 'viewer', 'rich', 'limited'];
const COLUMNS: Record<string, string> = { rich: 'viewer with money', limited: 'technician' };
/** `m` manages, `r` reads, `-` neither. */
const rightOf = (role: string, subject: string): string => {
  const line = LINES.find(([name]) => quoted(name)[0] === subject) ?? [];
  const cell = line[HEAD.indexOf(COLUMNS[role] ?? role)];
  const limit = role === 'limited' ? line[HEAD.indexOf('within a limit')] : 'as without';
  if (!cell || cell === '–' || limit === '–') return '-';
  return cell === 'changes' && limit !== 'reads' ? 'm' : 'r';
};

/** A viewer who sees money, and a technician of one hall. */
const GRANTS: Record<string, [role: OrganizationRole, money: boolean, limited: boolean]> = {
  rich: ['viewer', true, false],
  limited: ['technician', false, true],
};
const calls = Object.keys(contract) as Call[];
/** No data of a farm. */
const LISTS: string[] = ['sub-account-list', 'algorithm-list', 'telegram', 'acl-page'];

const grantOf = (name: string): { role: OrganizationRole; money: boolean; accounts: number[] | null } => {
  const [role, money, limited] = GRANTS[name] ?? [name as OrganizationRole, false, false];
  return { role, money, accounts: limited ? [0] : null };
};

it.each(ROLES)('a call is for a %s who may read or manage its subject', (name) => {
  const ability = abilityFor({ role: 'miner', isLegacyUser: false, hasBot: true, member: factsOf(grantOf(name)) });
  const isLet = (call: Call): boolean => {
    try {
      authorise(contract[call], { ability, signedInAt: new Date() } as Principal);
      return true;
    } catch {
      return false;
    }
  };
  for (const call of calls) {
    const { who, requires }: Endpoint = contract[call];
    if (who === 'visitor' || !requires || LISTS.includes(requires.subject)) continue;
    expect([call, LINES.some(([subject]) => quoted(subject)[0] === requires.subject)]).toEqual([call, true]);
    const right = rightOf(name, requires.subject);
    expect([call, isLet(call)]).toEqual([call, right === 'm' || (right === 'r' && requires.action === 'read')]);
  }
});

const test = appOfFile();

describe('roles', () => {
  const people: Record<string, Person> = {};
  /** One of the people by role. */
  const as = (role: string): Person => {
    const person = people[role];
    if (!person) throw new Error(role);
    return person;
  };
  let organizationId = '';
  let halls: { id: number; name: string }[] = [];
  let workers: { id: number; account: number }[] = [];

  beforeAll(async () => {
    const founder = await test.person('farm');
    for (const name of ['hall-a', 'hall-b']) await founder.post('/api/subAccounts/', { name });
    const now = Math.floor(Date.now() / 1000);
    await test.work(['farm', 'hall-a', 'hall-b'].map((account) => ({ account, at: now - 120, accepted: 1e6 })));
    const { id, owner } = await test.organization(founder);
    organizationId = id;
    halls = await test.rows("select id, name from sub_account where name like 'hall-%'");
    workers = await test.rows('select id, sub_account_id as account from worker order by id');
    people.owner = owner;
    for (const name of ROLES.slice(1)) {
      const { role, money, accounts } = grantOf(name);
      people[name] = await test.member(id, name, { role, money, accounts: accounts && ['hall-b'] });
    }
  });

  const hallOf = (name: string): number => halls.find((hall) => hall.name === name)?.id ?? 0;
  const workerOf = (name: string): number => workers.find(({ account }) => account === hallOf(name))?.id ?? 0;
  const ask = (who: Person, call: Call, things: Partial<Things> = {}): Promise<Answer> => {
    const [method, path = ''] = call.split(' ');
    const all: Things = {
      pools: [],
      places: [],
      workerId: workerOf('hall-b'),
      accountId: hallOf('hall-b'),
      spareAccountId: 999_999,
      watcherId: 999_999,
      keyId: 999_999,
      strangerId: 999_999,
      telegramId: 999_999,
      webhookId: 999_999,
      pushId: 999_999,
      ...things,
    };
    const entry = WALK[call];
    const body = entry?.body?.(all, who);
    const at = path.replace(/\{\w+\}/, String(entry?.path?.(all) ?? 999_999));
    return who.call(`/api${at}${entry?.query?.(all)?.replace('userName=owner', 'userName=hall-b') ?? ''}`, {
      method: method as 'GET',
      ...(body === undefined ? {} : { body }),
    });
  };

  const MONEY = /sat|btc|usd|price|balance|earn|fee|payout|address/i;
  const keysOf = (value: unknown): string[] =>
    typeof value !== 'object' || value === null
      ? []
      : Object.entries(value).flatMap(([key, inner]) => [...(inner === null ? [] : [key]), ...keysOf(inner)]);

  it.each(['technician', 'viewer', 'limited'])('no answer to a %s has a sum in it', async (role) => {
    expect(await ask(as(role), 'POST /watchers')).toMatchObject({ status: 403, code: 'forbidden' });
    for (const call of calls.filter((each) => each.startsWith('GET ') && contract[each].who !== 'visitor')) {
      const answer = await ask(as(role), call);
      expect([call, answer.status < 500]).toEqual([call, true]);
      // No browser keeps it: another member, or the person alone, asks at the same address.
      expect([call, answer.headers[KEEP_HEADER]]).toEqual([call, undefined]);
      if (answer.status === 200)
        expect([call, keysOf(answer.body).filter((key) => MONEY.test(key))]).toEqual([call, []]);
    }
  });

  it('only owners know the addresses of other members', async () => {
    const known = async (role: string) => {
      const { organization } = await as(role).read<{ organization: { members: { email: string | null }[] } }>(
        '/api/organization',
      );
      return organization.members.filter(({ email }) => email !== null).length;
    };
    expect(await Promise.all(['owner', 'manager', 'viewer'].map(known))).toEqual([ROLES.length, 0, 0]);
  });

  it('a role that is limited to one sub-account finds no other', async () => {
    const limited = as('limited');
    const names = (await limited.read<{ subAccounts: { name: string }[] }>('/api/subAccounts/')).subAccounts;
    expect(names.map(({ name }) => name)).toEqual(['hall-b']);
    for (const call of calls.filter((each) => each.startsWith('GET '))) {
      const { who, query, requires }: Endpoint = contract[call];
      const field = ['userName', 'subAccountName', 'accountName', 'currentAccount'].find(
        (name) => name in (query?.shape ?? {}),
      );
      if (
        who === 'visitor' ||
        !field ||
        !requires ||
        rightOf('limited', requires.subject) === '-' ||
        call.includes('{')
      )
        continue;
      expect([call, (await limited.call(`/api${call.slice(4)}?${field}=hall-a`)).status]).toEqual([call, 404]);
    }
    const foreign = { accountId: hallOf('hall-a'), workerId: workerOf('hall-a') };
    for (const call of [
      'PUT /workers/{id}',
      'POST /workers/bulk',
      'POST /workerGroups/',
      'GET /workers/{id}/hashchart',
    ] as const) {
      expect([call, (await ask(limited, call, foreign)).status]).toEqual([call, 404]);
      expect([call, (await ask(limited, call)).status]).toEqual([call, 200]);
    }
  });

  it('what power costs is shown to who sees money, and set by those of them who manage workers', async () => {
    const subAccountId = hallOf('hall-b');
    await as('owner').post('/api/workerGroups/', { name: 'priced', subAccountId });
    const power = { usdPerKwh: 0.05, kilowatts: 10 };
    for (const name of ROLES) {
      const seesMoney = rightOf(name, 'payments') !== '-';
      const changed = await as(name).put(`/api/workerGroups/priced?subAccountId=${subAccountId}`, { power });
      expect([name, changed.status]).toEqual([name, seesMoney && rightOf(name, 'workers') === 'm' ? 200 : 403]);
      const groups = await as(name).read<WorkerGroup[]>('/api/workerGroups/');
      expect([name, groups.find((group) => group.name === 'priced')?.power?.draws]).toEqual([
        name,
        seesMoney ? 10 : undefined,
      ]);
    }
  });

  /** Kinds of notifications, by the texts that say them. */
  const TEXTS = JSON.parse(readFileSync(join(ROOT, 'shell/locales/inbox.en.json'), 'utf8')) as Record<string, string>;
  const KINDS = [
    ...new Set(
      Object.keys(TEXTS).flatMap(
        (key) => /^notification\.([a-z_]+?)(?:_one|_other|_change|_events)?$/.exec(key)?.[1] ?? [],
      ),
    ),
  ];
  const linesOf = (column: string, word: string): string[][] =>
    LINES.filter((line) =>
      quoted(line[HEAD.indexOf(column)]).some((each) => each === word || (each.endsWith('_') && word.startsWith(each))),
    );

  it('every way out has one row: events, notifications, channels', () => {
    for (const kind of KINDS) expect([kind, linesOf('notifications', kind).length]).toEqual([kind, 1]);
    const subjects = Object.keys(LIVE_KEYS).map((type) => linesOf('events', type).map(([name]) => quoted(name)[0]));
    expect(subjects).toEqual(
      Object.keys(LIVE_KEYS).map((type) => [
        SUBJECT_OF[type as keyof typeof LIVE_KEYS] ?? (type === 'remotes' ? 'settings' : 'person'),
      ]),
    );
    const ways = tableOf('way out').flatMap(([way]) => quoted(way));
    const channels = { mail: 0, push: 0, telegram: 0, webhook: 0 } satisfies Record<Channel, 0>;
    expect(ways.sort()).toEqual(Object.keys(channels).sort());
  });

  const bell = async (role: string): Promise<string[]> =>
    (await as(role).read<{ notifications: { kind: string }[] }>('/api/notifications')).notifications
      .map(({ kind }) => kind)
      .sort();
  const unread = async (role: string): Promise<number> =>
    (await as(role).read<{ unread: number }>('/api/notifications')).unread;

  it('a notification is for who may read it, whatever way it leaves, and no longer when the role has changed', async () => {
    const { pool } = test.database;
    const farm = as('owner');
    const ownerId = farm.userId;
    const make = async (who: Person, url: string, events: string[]) => who.post('/api/webhooks', { url, events });
    await make(as('accountant'), 'https://money.example/in', ['payment']);
    await make(farm, 'https://all.example/in', ['payment', 'offline']);
    await pool.query('delete from notification');
    await pool.query('delete from outbox');
    await pool.query("update identity_user set email_verified_at = now() - interval '1 day'");
    await pool.query(
      `insert into alert_setting (user_id, mail_events)
      select id, '{payment,offline}' from app_user where user_name = any($1) on conflict (user_id) do update set mail_events = excluded.mail_events`,
      [ROLES],
    );
    const now = Math.floor(Date.now() / 1000);
    // About a hall outside the limit of the one who is limited, about his, and about the whole farm.
    for (const account of ['hall-a', 'hall-b', undefined]) {
      await pool.query('delete from notification');
      const values = { amount: '0.0266', ...(account ? { account } : {}) };
      await writeNotes(
        pool,
        KINDS.map((kind) => ({ userId: ownerId, kind, values })),
        now,
      );
      for (const role of ROLES) {
        const expected = KINDS.filter((kind) => {
          const subject = quoted(linesOf('notifications', kind)[0]?.[0])[0] ?? '';
          if (['person', 'admin'].includes(subject) || rightOf(role, subject) === '-') return false;
          return role !== 'limited' || account === 'hall-b' || subject === 'organization';
        });
        expect([role, account, await bell(role)]).toEqual([role, account, expected.sort()]);
        expect([role, account, await unread(role)]).toEqual([role, account, expected.length]);
      }
    }
    // A webhook is told what its maker may read.
    const hooks = await test.rows<{ url: string; kinds: string[] }>(
      `select w.url, array_agg(distinct o.content::json ->> 'type') as kinds
       from outbox o join webhook w on w.id::text = o.target where o.channel = 'webhook' group by 1`,
    );
    const told = (url: string) => hooks.find((hook) => hook.url === url)?.kinds ?? [];
    expect(told('https://all.example/in')).toEqual(
      expect.arrayContaining(['pools_changed', 'payment_sent', 'worker_offline']),
    );
    expect(told('https://money.example/in')).toEqual(expect.arrayContaining(['payment_sent', 'organization_joined']));
    expect(told('https://money.example/in').filter((kind) => /^(pools?|worker|upstream)_/.test(kind))).toEqual([]);

    // Before the messages are made, the viewer with money becomes one without.
    await pool.query('delete from outbox');
    const idOfRich = as('rich').userId;
    expect(
      await farm.put(`/api/organization/members/${idOfRich}`, { role: 'viewer', money: false, accounts: null }),
    ).toMatchObject({ status: 200 });
    expect((await bell('rich')).filter((kind) => kind.startsWith('payment'))).toEqual([]);
    for (const name of ['rich', 'accountant']) {
      const id = as(name).userId;
      await pool.query(
        `insert into telegram_connection (user_id, chat_id, status, events, token_hash, session_id, expires_at, linked_at)
         values ($1::int, $1::int, 'linked', '{payment}', $2, 's', now(), now() - interval '1 hour')`,
        [id, name],
      );
      await pool.query(
        `insert into push_subscription (user_id, endpoint, p256dh, auth, language, events, created_at)
         values ($1, $2, 'x', 'x', 'en', '{payment}', now() - interval '1 hour')`,
        [id, `https://push.example/${name}`],
      );
    }
    await forward(pool, now + 60);
    await mailAlerts(pool, now + 60);
    await forwardPush(pool, { allFor: async () => [] }, now + 60);
    const made = (await pool.query<{ channel: string; target: string; content: string }>('select * from outbox')).rows;
    const paid = async (name: string): Promise<string[]> => {
      const id = String(as(name).userId);
      const push = (await pool.query<{ id: string }>('select id::text from push_subscription where user_id = $1', [id]))
        .rows[0]?.id;
      return made
        .filter(
          ({ content, target }) =>
            /0\.0266|payment/i.test(content) && [id, push, `${name}@example.com`].includes(target),
        )
        .map(({ channel }) => channel)
        .sort();
    };
    expect([await paid('rich'), [...new Set(await paid('accountant'))]]).toEqual([[], ['mail', 'push', 'telegram']]);
    await pool.query('delete from notification');
    await pool.query('delete from outbox');
    await pool.query('delete from webhook');
  });

  it('the log names the person, under the organization', async () => {
    const id = workerOf('hall-b');
    await as('technician').put(`/api/workers/${id}`, { alertLimit: 0.3 });
    const july = { file: 'earnings-farm-2026-07-01-2026-07-31.csv' };
    expect(await as('accountant').post('/api/exports', july)).toMatchObject({ status: 200 });
    const { rows } = await as('owner').read<{ rows: { action: string; userName: string; member?: string }[] }>(
      '/api/audit?userName=farm',
    );
    const newest = (wanted: string) => rows.find(({ action }) => action === wanted);
    expect(newest('worker.alert_limit')).toMatchObject({ userName: 'farm', member: 'technician' });
    expect(newest('organization.create')).toMatchObject({ member: 'farm' });
    expect(newest('export')).toMatchObject({ userName: 'farm', member: 'accountant', after: july });
  });

  it('an accountant makes, changes and deletes webhooks of money only', async () => {
    const url = 'https://hooks.example/pool';
    const make = async (role: string, event: string) => as(role).post('/api/webhooks', { url, events: [event] });
    expect(await make('accountant', 'offline')).toMatchObject({ status: 403 });
    const { id } = (await make('owner', 'offline')).body as { id: number };
    const own = (await make('accountant', 'payment')).body as { id: number };
    const body = { url, events: ['digest'] };
    const change = async (hook: number) => (await as('accountant').put(`/api/webhooks/${hook}`, body)).status;
    const remove = async (hook: number) => (await as('accountant').del(`/api/webhooks/${hook}`)).status;
    expect([await change(id), await remove(id), await change(own.id), await remove(own.id)]).toEqual([
      403, 403, 200, 200,
    ]);
  });

  it('a change of a list is told to each who may see it, and taken back once', async () => {
    const owner = as('owner');
    const make = async (name: string) =>
      (
        (await owner.post('/api/poolConfigs/', { ...POOL, name })).body as {
          id: number;
        }
      ).id;
    const list = `/api/subAccountPoolConfigs?subAccountId=${hallOf('hall-a')}`;
    const replace = (...ids: number[]) => {
      const configs = ids.map((poolConfigId) => ({ poolConfigId, enabled: true }));
      return owner.put(list, { algo: POOL.algorithm, configs });
    };
    for (const name of ['first', 'second']) await replace(await make(name));
    const warned = async (role: string) =>
      (await as(role).read<{ notifications: { id: number; kind: string }[] }>('/api/notifications')).notifications.find(
        ({ kind }) => kind === 'pools_changed',
      )?.id;
    const undo = async (role: string) => {
      const body = { notification: await warned(role) };
      return (await as(role).post('/api/subAccountPoolConfigs/undo', body)).status;
    };
    expect([await warned('accountant'), await warned('limited')]).toEqual([undefined, undefined]);
    expect(await warned('technician')).toBeDefined();
    expect([await undo('manager'), await undo('owner')]).toEqual([200, 404]);

    await owner.put('/api/poolHold', { on: true });
    await replace();
    const held = async (role: string) => {
      const { inForce, shown } = await as(role).read<PoolHold>('/api/poolHold');
      return [inForce.length, shown?.before?.places?.length, shown?.after?.places?.length];
    };
    expect([await held('technician'), await held('limited')]).toEqual([
      [1, 1, 0],
      [0, 0, 0],
    ]);
  });

  it('admins of the pool see an organization with its members, and the pages of one of them, read-only', async () => {
    const admin = await test.person('boss', { role: 'admin' });
    const asked = (path: string, person = 'technician') =>
      admin.call(`/api${path}`, { headers: { 'x-view-as': `farm~${person}` } });
    const { member, rules } = (await asked('/getUserInfo/')).body as { member: object; rules: { action: string }[] };
    expect(member).toMatchObject({ userName: 'technician', role: 'technician' });
    expect(rules.map(({ action }) => action)).not.toContain('manage');
    expect([(await asked('/payment/')).status, (await asked('/liveWorkers/')).status]).toEqual([403, 200]);
    expect((await asked('/liveWorkers/', 'boss')).status).toBe(404);
    const { rows } = await admin.read<{ rows: { organization?: object }[] }>('/api/users/?search=farm');
    expect(rows.find(({ organization }) => organization)?.organization).toMatchObject({
      name: 'The farm',
      members: expect.arrayContaining([{ userName: 'technician', role: 'technician' }]) as object,
    });
  });

  it('a later sign-in goes on in the organization', async () => {
    const again = await test.signIn('accountant');
    expect((await again.call('/api/getUserInfo/')).body).toMatchObject({ member: { role: 'accountant' } });
  });

  it('what a member made ends when he could not make it any more, its stream too, and the owners are told what', async () => {
    const { pool } = test.database;
    const owner = as('owner');
    const id = as('manager').userId;
    const grant = async (role: string) =>
      (await owner.put(`/api/organization/members/${id}`, { role, money: false, accounts: null })).status;
    expect(await grant('owner')).toBe(200);
    const second = await test.actingIn('manager', organizationId);
    const key = async (who: Person, name: string) =>
      (
        (await who.post('/api/apiKeys', { name, scopes: ['hashrate', 'earnings'] })).body as {
          token: string;
        }
      ).token;
    const [his, mine] = [await key(second, 'grafana'), await key(owner, 'own')];
    await second.post('/api/watchers', { name: 'tablet', scopes: ['workers'] });
    for (const events of [['payment'], ['offline']])
      await second.post('/api/webhooks', { url: `https://${events[0]}.example/in`, events });
    const list = async (path: string) =>
      (await owner.read<{ name?: string; url?: string; by?: string }[]>(`/api/${path}`)).map(
        ({ name, url, by }) => `${name ?? url} ${by}`,
      );
    expect(await list('apiKeys')).toEqual(['own farm', 'grafana manager']);
    const works = async (token: string) =>
      (await test.visitor.call('/api/payment/', { headers: { authorization: `Bearer ${token}` } })).status;
    expect([await works(his), await works(mine)]).toEqual([200, 200]);
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = test.app.server.address() as AddressInfo;
    const stream = await fetch(`http://127.0.0.1:${port}/api/events`, { headers: { authorization: `Bearer ${his}` } });
    expect(stream.status).toBe(200);

    // As an accountant he could make a webhook of payments, and nothing else of it: an owner steps down by himself.
    expect(
      (await second.put(`/api/organization/members/${id}`, { role: 'accountant', money: false, accounts: null }))
        .status,
    ).toBe(200);
    expect([await works(his), await works(mine)]).toEqual([401, 200]);
    await stream.text();
    const hooks = async () => (await list('webhooks')).filter((hook) => hook.endsWith(' manager'));
    expect([await list('apiKeys'), await list('watchers'), await hooks()]).toEqual([
      ['own farm'],
      [],
      ['https://payment.example/in manager'],
    ]);
    const told = async () =>
      (
        await owner.read<{ notifications: { kind: string; values: Record<string, string> }[] }>('/api/notifications')
      ).notifications
        .filter(({ kind }) => kind === 'organization_ended')
        .map(({ values }) => values.names);
    expect(await told()).toEqual([expect.stringMatching(/^grafana \(pk_.*…\), tablet \(wt_.*…\), offline\.example$/)]);
    // The end of his account is another door: it is found within half a minute.
    await pool.query('delete from organization_member where user_id = $1', [id]);
    await finishRemovals({ db: pool, changed: () => undefined });
    expect([await hooks(), (await told())[0]]).toEqual([[], 'payment.example']);
    const { rows } = await owner.read<{ rows: { action: string; subject: string }[] }>('/api/audit?userName=farm');
    expect(rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['api_key.end', 'watcher.end', 'webhook.end']),
    );
  });

  it('a removed member acts alone from the next request on', async () => {
    const viewer = as('viewer');
    expect((await viewer.call('/api/getUserInfo/')).body).toMatchObject({
      user: { userName: 'farm' },
      member: { role: 'viewer' },
    });
    await as('owner').del(`/api/organization/members/${as('viewer').userId}`);
    expect((await viewer.call('/api/getUserInfo/')).code).toBe('not_member');
    await viewer.renew(true);
    expect((await viewer.call('/api/getUserInfo/')).body).toMatchObject({ user: { userName: 'viewer' } });
  });
});
