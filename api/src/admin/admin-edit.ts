/** Changes of users and sub-accounts by admins: one or many, all or nothing. */
import { abilityFor, isAdmin } from '@pool/shared/ability';
import type { Pool } from 'pg';
import type {
  AdminSubAccount,
  EditUser,
  ErrorCode,
  ShownChange,
  SubAccountChange,
  UserChange,
} from '@pool/shared/api/contract';
import { type Doer, writeAuditRows } from '../platform/audit';
import { writeAdminNotes } from '../messages/notifications';
import { containsPattern, firstRow, pageOf, type Querier, raw, rowsOf, sql, valuesOf } from '../platform/db/querier';
import { lock, transaction } from '../platform/db/transaction';
import type { AppUser } from '../accounts/accounts';
import { fourEyesOf } from '../money/payouts/four-eyes-setting';
import { lockOwned, soleOwned } from '../accounts/organizations/members';
import { confirming } from '../accounts/waiting/waiting';
import { problems } from '../platform/refused';

/** Thrown when nothing was changed; `row`: index of the refused change in the list. */
export class EditRefused extends Error {
  override readonly name = 'EditRefused';
  constructor(
    readonly code: ErrorCode,
    readonly row: number,
    message: string,
  ) {
    super(message);
  }
}

/** Time for which an admin whom another one has made approves, sends and confirms nothing. */
const NEW_ADMIN_S = 72 * 3600;

type WithId<T> = T & { id: number };

type AccountRow = AdminSubAccount & { userId: number };

const ACCOUNTS = `
  select s.id, s.user_id, s.name, s.ports, s.proxy_port, s.btc_address, s.threshold_sat, s.version,
    u.user_name as owner
  from sub_account s
  join app_user u on u.id = s.user_id
  where s.deleted_at is null`;
const toAccount = ({ userId: _, ...account }: AccountRow): AdminSubAccount => account;

async function withAccounts(db: Querier, users: readonly AppUser[]): Promise<EditUser[]> {
  const accounts = await rowsOf<AccountRow>(db)`
    ${raw(ACCOUNTS)} and s.user_id = any(${users.map(({ id }) => id)}::int[]) order by s.id`;
  return users.map(({ id, userName, email, role, isLegacyUser, createdAt, feePercent, disabled, version }) => ({
    ...{ id, userName, email, role, isLegacyUser, feePercent, disabled, version },
    createdAt: createdAt.toISOString(),
    subAccounts: accounts.filter(({ userId }) => userId === id).map(toAccount),
  }));
}

/** Users sorted by name. `limit` null: all. */
export async function editUsers(
  db: Querier,
  { legacy, search, ids }: { legacy?: boolean; search?: string; ids?: string },
  page: { limit: number | null; offset: number },
): Promise<{ rows: EditUser[]; total: number }> {
  const isLegacy = legacy ?? null;
  const pattern = search ? containsPattern(search) : null;
  const only = idsOf(ids);
  const from = sql`
    from app_user
    where (${isLegacy}::boolean is null or is_legacy_user = ${isLegacy})
      and (${pattern}::text is null or user_name ilike ${pattern} or email ilike ${pattern})
      and (${only}::int[] is null or id = any(${only}))`;
  const { rows, total } = await pageOf<AppUser>(db, { columns: sql`*`, from, order: 'user_name' }, page);
  return { rows: await withAccounts(db, rows), total };
}

/** `3,5`: the ids of a query; null: all rows. */
export const idsOf = (list: string | undefined): number[] | null => list?.split(',').map(Number) ?? null;

function refuseUnseen(row: { id: number; version: number }, seen: number | undefined, at: number): void {
  if (seen !== undefined && seen !== row.version)
    throw new EditRefused('changed_meanwhile', at, `${row.id} was changed since it was read: read it again.`);
}

function refuseDuplicates(updates: readonly { id: number }[]): void {
  const seen = new Set<number>();
  updates.forEach(({ id }, row) => {
    if (seen.has(id)) throw new EditRefused('duplicate_id', row, `The id ${id} occurs twice.`);
    seen.add(id);
  });
}

type UserFacts = Required<Omit<UserChange, 'version'>>;
const factsOf = ({ role, isLegacyUser, disabled, feePercent }: AppUser): UserFacts => {
  return { role, isLegacyUser, disabled, feePercent };
};

const actsAsAdmin = (facts: UserFacts): boolean => isAdmin(abilityFor(facts)) && !facts.disabled;

/** All that a change of users does, where it makes somebody an admin or takes that away. */
export async function adminsChanged(db: Querier, updates: readonly WithId<UserChange>[]): Promise<ShownChange | null> {
  const rows = await rowsOf<AppUser>(db)`
    select * from app_user where id = any(${updates.map(({ id }) => id)}::int[]) order by id`;
  const changes = rows.map((row) => {
    const { id: _, version: _version, ...change } = updates.find(({ id }) => id === row.id) ?? { id: row.id };
    return { name: row.userName, before: factsOf(row), after: { ...factsOf(row), ...change } };
  });
  if (!changes.some(({ before, after }) => actsAsAdmin(before) !== actsAsAdmin(after))) return null;
  const side = (which: 'before' | 'after') => ({
    users: changes.map(({ name, [which]: { role, ...facts } }) => ({ name, admin: role === 'admin', ...facts })),
  });
  return { before: side('before'), after: side('after') };
}

/** Updates users. `legacy`: what kind all are. `ended`: sessions of users that are disabled. Throws `EditRefused`. */
export function updateUsers(
  pool: Pool,
  editor: Doer,
  updates: readonly WithId<UserChange>[],
  now: number,
  legacy?: boolean,
): Promise<{ users: EditUser[]; ended: string[] }> {
  refuseDuplicates(updates);
  return transaction(pool, async (client) => {
    // The lock prevents that two admins take the role from each other at the same time.
    await lock(client, 'editing');
    const disabled = updates.filter((change) => change.disabled).map(({ id }) => id);
    await lockOwned(client, disabled);
    const self = await firstRow<AppUser>(client)`select * from app_user where id = ${editor.actorId} and not disabled`;
    if (!self || !isAdmin(abilityFor(factsOf(self)))) throw problems.forbidden();
    const rows = await rowsOf<AppUser>(client)`
      select * from app_user where id = any(${updates.map(({ id }) => id)}::int[]) order by id for update`;
    const known = new Map(rows.map((row) => [row.id, row]));
    const changes = updates.map(({ id, version, ...change }, at) => {
      const row = known.get(id);
      if (!row || (legacy !== undefined && row.isLegacyUser !== legacy))
        throw new EditRefused('unknown_id', at, `There is no such user: ${id}.`);
      refuseUnseen(row, version, at);
      const before = factsOf(row);
      const after = { ...before, ...change };
      if (id === editor.actorId && (!isAdmin(abilityFor(after)) || after.disabled))
        throw new EditRefused('own_account', at, 'An admin does not take the own role away, nor lock itself out.');
      const [was, is] = [actsAsAdmin(before), actsAsAdmin(after)];
      return { id, subject: row.userName, before, after, made: is && !was, unmade: was && !is };
    });
    const [ownerless] = await soleOwned(client, disabled);
    if (ownerless !== undefined)
      throw new EditRefused(
        'last_owner',
        updates.findIndex((change) => change.disabled),
        `${ownerless} would have no owner left: one of its owners has to make another member an owner first.`,
      );
    const made = changes.filter((change) => change.made);
    const alone = changes.findIndex((change) => change.made || change.unmade);
    if (alone >= 0 && !confirming.getStore() && (await fourEyesOf(client)).fourEyes)
      throw new EditRefused('second_admin', alone, 'Another admin has to confirm it.');
    const written = await rowsOf<AppUser>(
      client,
      `update app_user u
       set role = r.role, is_legacy_user = r."isLegacyUser", disabled = r.disabled, fee_percent = r."feePercent",
         full_admin_at = case when r.made then now() + make_interval(secs => $2) else u.full_admin_at end
       from json_to_recordset($1::json)
         as r(id int, role text, "isLegacyUser" boolean, disabled boolean, "feePercent" float8, made boolean)
       where u.id = r.id
       returning u.*`,
      [JSON.stringify(changes.map(({ id, after, made: isMade }) => ({ id, ...after, made: isMade }))), NEW_ADMIN_S],
    );
    // Sessions are the embedded sign-in service's own; the hosted one has none here.
    const ended = await valuesOf<string>(client)`
      update identity_session set status = 'revoked'
      where status = 'active'
        and user_id in (select identity_id from app_user where disabled
          and id = any(${written.map(({ id }) => id)}::int[]))
      returning id`;
    await writeAuditRows(client, editor, 'user.update', changes);
    for (const { subject } of made)
      await writeAdminNotes(client, { kind: 'admins_new', values: { user: self.userName, name: subject } }, now);
    return { users: await withAccounts(client, written), ended };
  });
}

/** Each port belongs to one purpose of one sub-account, and is not one of the pool's own (`reserved`). */
function refuseTakenPorts(
  accounts: readonly Pick<AccountRow, 'id' | 'ports' | 'proxyPort'>[],
  reserved: readonly number[],
  rowOf: ReadonlyMap<number, number>,
): void {
  const taken = new Map<number, number | null>(reserved.map((port) => [port, null]));
  // Check unchanged sub-accounts first, so that a changed one is refused for a port of an unchanged one.
  for (const account of [...accounts].sort((a, b) => Number(rowOf.has(a.id)) - Number(rowOf.has(b.id)))) {
    for (const port of [...Object.values(account.ports), ...(account.proxyPort === null ? [] : [account.proxyPort])]) {
      if (taken.has(port) && rowOf.has(account.id))
        throw new EditRefused('port_taken', rowOf.get(account.id) ?? 0, `Port ${port} is taken.`);
      taken.set(port, account.id);
    }
  }
}

/** `reserved`: ports the pool itself listens on. Throws `EditRefused`. */
export function updateSubAccounts(
  pool: Pool,
  editor: Doer,
  updates: readonly WithId<SubAccountChange>[],
  reserved: readonly number[],
): Promise<AdminSubAccount[]> {
  refuseDuplicates(updates);
  return transaction(pool, async (client) => {
    await lock(client, 'editing');
    const rows = await rowsOf<AccountRow>(client)`
      ${raw(ACCOUNTS)}
        and (s.id = any(${updates.map(({ id }) => id)}::int[]) or s.ports <> '{}' or s.proxy_port is not null)
      order by s.id
      for update of s`;
    const after = new Map(rows.map((row) => [row.id, row]));
    const changes = updates.map(({ id, version, ports, proxyPort, thresholdSat }, at) => {
      const row = after.get(id);
      if (!row) throw new EditRefused('unknown_id', at, `There is no such sub-account: ${id}.`);
      refuseUnseen(row, version, at);
      const changed: AccountRow = {
        ...row,
        ports: ports ?? row.ports,
        proxyPort: proxyPort === undefined ? row.proxyPort : proxyPort,
        thresholdSat: thresholdSat ?? row.thresholdSat,
      };
      after.set(id, changed);
      const facts = (of: AccountRow) => ({ ports: of.ports, proxyPort: of.proxyPort, thresholdSat: of.thresholdSat });
      return { id, subject: row.name, before: facts(row), after: facts(changed) };
    });
    refuseTakenPorts([...after.values()], reserved, new Map(updates.map(({ id }, at) => [id, at])));
    const written = await rowsOf<{ id: number; version: number }>(
      client,
      `update sub_account s
       set ports = r.ports, proxy_port = r."proxyPort", threshold_sat = r."thresholdSat"
       from json_to_recordset($1::json) as r(id int, ports jsonb, "proxyPort" int, "thresholdSat" bigint)
       where s.id = r.id
       returning s.id, s.version`,
      [JSON.stringify(changes.map(({ id, after: to }) => ({ id, ...to })))],
    );
    for (const { id, version } of written) after.set(id, { ...after.get(id)!, version });
    await writeAuditRows(client, editor, 'sub_account.update', changes);
    return updates.flatMap(({ id }) => after.get(id) ?? []).map(toAccount);
  });
}
