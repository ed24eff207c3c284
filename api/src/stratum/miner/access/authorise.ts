/** Finds the sub-account and worker that a name of `mining.authorize` stands for. */
import type { RefusalReason } from '@pool/shared/api/contract';
import type { AccountDirectory, MinerAccount } from '../../ports';
import { isMinerPassword } from './miner-password';
import { ACCOUNT_NAME, WORKER_NAME } from '@pool/shared/domain';

const DEFAULT_WORKER = 'default';
const trimmed = (name: string): string => name.replace(/^[ \t]+|[ \t]+$/g, '');

type MinerName = { account: string; worker: string };

/** Splits at the first dot; HiveOS sends an empty worker, which is `default`. Null when malformed. */
export function parseMinerName(text: unknown): MinerName | null {
  if (typeof text !== 'string' || text.length > 97) return null;
  const [first = '', ...rest] = text.split('.');
  const account = trimmed(first).toLowerCase();
  const worker = trimmed(rest.join('.')) || DEFAULT_WORKER;
  return ACCOUNT_NAME.test(account) && WORKER_NAME.test(worker) ? { account, worker } : null;
}

/** A worker name without an account, as allowed on a sub-account's own port. Null when it has a dot or is malformed. */
export function parseWorkerName(text: unknown): string | null {
  const worker = typeof text === 'string' ? trimmed(text) || DEFAULT_WORKER : '';
  return !worker.includes('.') && WORKER_NAME.test(worker) ? worker : null;
}

/** `knowsPassword`: the miner sent the password set for the account's miners. */
export type Authorised = MinerName & { text: string; subAccountId: number; userId: number; knowsPassword: boolean };
/** `refused`: the answer to the miner. `subAccountId`: the account that it named, or whose port it is. */
export type Refused = { refused: string; reason: RefusalReason; subAccountId: number | null };

const MALFORMED = 'Name must be account.worker, the worker of letters, digits, . _ -';
const refuse = (refused: string, reason: RefusalReason, subAccountId: number | null = null): Refused => ({
  refused,
  reason,
  subAccountId,
});

/** A name is `account.worker`, on the port of its `owner` also `worker`. Rejects when accounts cannot be read. */
export async function authoriseMiner(
  text: unknown,
  password: unknown,
  directory: Pick<AccountDirectory, 'find' | 'byId'>,
  owner: number | null,
): Promise<Authorised | Refused> {
  const name = parseMinerName(text);
  const alone = owner === null ? null : parseWorkerName(text);
  if (typeof text !== 'string' || (!name && alone === null)) return refuse(MALFORMED, 'malformed');
  const named = name && (await directory.find(name.account));
  if (name && named && (owner === null || named.subAccountId === owner))
    return checked({ ...name, text }, named, password);
  if (named) return refuse('This port is of another account', 'other_port', named.subAccountId);
  if (owner === null || alone === null) return refuse('No such account', 'no_account');
  const own = await directory.byId(owner);
  return own
    ? checked({ account: own.name, worker: alone, text }, own, password)
    : refuse('No such account', 'no_account');
}

function checked(
  name: MinerName & { text: string },
  { subAccountId, userId, minerPassword }: MinerAccount,
  password: unknown,
): Authorised | Refused {
  if (minerPassword && !isMinerPassword(minerPassword, password))
    return refuse('Wrong password', 'wrong_password', subAccountId);
  return { ...name, subAccountId, userId, knowsPassword: Boolean(minerPassword) };
}
