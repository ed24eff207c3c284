/** What a limited member names by number has to be theirs (`names` of the contract); readable-accounts.ts checks names. */
import type { Endpoint } from '@pool/shared/api/contract';
import type { MemberFacts } from '@pool/shared/roles';
import { rowsOf, type Querier } from '../../platform/db/querier';
import { problems } from '../../platform/refused';
import type { Grant } from '../../accounts/organizations/organizations';
import type { Principal } from './principal';

export const factsOf = ({ role, money, accounts }: Grant): MemberFacts => ({ role, money, limited: accounts !== null });

/** Whether the caller's data are limited to other sub-accounts than this one. */
export const isHidden = ({ member }: { member?: Pick<Grant, 'accounts'> }, accountId: number): boolean =>
  member?.accounts?.includes(accountId) === false;

export type Given = { params: unknown; query: unknown; body: unknown };
type Named = { subAccountId?: unknown; ids?: unknown; id?: unknown; worker?: unknown };
const fieldsOf = (part: unknown): Named => part ?? {};
const numbers = (...values: unknown[]): number[] =>
  values.flat().filter((one): one is number => typeof one === 'number');

/** Throws where a call names something outside the member's limit; it is not found, as what is not there. */
export async function checkAccountLimit(
  db: Querier,
  me: Principal | null,
  names: Endpoint['names'],
  given: Given,
): Promise<void> {
  const accounts = me?.member?.accounts;
  if (!accounts || !names) return;
  const [query, body] = [fieldsOf(given.query), fieldsOf(given.body)];
  if (names === 'account') {
    if (numbers(query.subAccountId, body.subAccountId).some((id) => !accounts.includes(id))) throw problems.notFound();
    return;
  }
  const foreign = await rowsOf(db)`
    select from worker where id = any(${numbers(fieldsOf(given.params).id, query.worker, body.ids)}::int[])
      and sub_account_id <> all(${accounts}::int[]) limit 1`;
  if (foreign.length > 0) throw problems.notFound();
}
