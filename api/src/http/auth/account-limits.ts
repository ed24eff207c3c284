/**
 * What a request of a limited member names by number has to be theirs; names are checked in
 * context/readable-accounts.ts.
 */
import type { MemberFacts } from '@pool/shared/roles';
import { rowsOf, type Querier } from '../../platform/db/querier';
import { problems } from '../server/problem';
import type { Grant } from '../../accounts/organizations/organizations';
import type { Principal } from './principal';

export const factsOf = ({ role, money, accounts }: Grant): MemberFacts => ({ role, money, limited: accounts !== null });

/** Whether the caller's data are limited to other sub-accounts than this one. */
export const isHidden = ({ member }: { member?: Pick<Grant, 'accounts'> }, accountId: number): boolean =>
  member?.accounts?.includes(accountId) === false;

/** What a call is given. `path`: below `/api`, as the contract has it. */
export type Given = { path: string; params: unknown; query: unknown; body: unknown };
type Named = { subAccountId?: unknown; ids?: unknown; id?: unknown };
const numbers = (value: unknown): number[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is number => typeof one === 'number');

/** Throws where the request names something outside the member's limit; it is not found, as what is not there. */
export async function checkAccountLimit(db: Querier, me: Principal | null, given: Given): Promise<void> {
  const accounts = me?.member?.accounts;
  if (!accounts) return;
  const query = (given.query ?? {}) as Named;
  const body = (given.body ?? {}) as Named;
  const named = [...numbers(query.subAccountId), ...numbers(body.subAccountId)];
  if (named.some((id) => !accounts.includes(id))) throw problems.notFound();
  const isAboutWorkers = given.path.startsWith('/workers/');
  const workers = isAboutWorkers ? [...numbers((given.params as Named | undefined)?.id), ...numbers(body.ids)] : [];
  if (workers.length === 0) return;
  const foreign = await rowsOf(db)`
    select from worker where id = any(${workers}::int[]) and sub_account_id <> all(${accounts}::int[]) limit 1`;
  if (foreign.length > 0) throw problems.notFound();
}
