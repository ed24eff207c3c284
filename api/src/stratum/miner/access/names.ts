/** `account.worker` of `mining.authorize`. */
import { ACCOUNT_NAME, WORKER_NAME } from '@pool/shared/domain';

const DEFAULT_WORKER = 'default';
export type MinerName = { account: string; worker: string };

/** Splits at the first dot; the account's case does not matter, no worker means `default`. Null when malformed. */
export function parseMinerName(text: unknown): MinerName | null {
  if (typeof text !== 'string' || text.length > 97) return null;
  const dot = text.indexOf('.');
  const account = (dot < 0 ? text : text.slice(0, dot)).toLowerCase();
  const worker = dot < 0 ? DEFAULT_WORKER : text.slice(dot + 1);
  return ACCOUNT_NAME.test(account) && WORKER_NAME.test(worker) ? { account, worker } : null;
}

/** A worker name without an account, as allowed on a sub-account's own port. Null when it has a dot or is malformed. */
export const parseWorkerName = (text: unknown): string | null =>
  typeof text === 'string' && !text.includes('.') && WORKER_NAME.test(text) ? text : null;
