/** `account.worker` of `mining.authorize`. */
import { ACCOUNT_NAME, WORKER_NAME } from '@pool/shared/domain';

const DEFAULT_WORKER = 'default';
export type MinerName = { account: string; worker: string };

/** The account is what stands before the first dot (its case does not matter); no worker means `default`. Null refuses. */
export function parseMinerName(text: unknown): MinerName | null {
  if (typeof text !== 'string' || text.length > 97) return null;
  const dot = text.indexOf('.');
  const account = (dot < 0 ? text : text.slice(0, dot)).toLowerCase();
  const worker = dot < 0 ? DEFAULT_WORKER : text.slice(dot + 1);
  return ACCOUNT_NAME.test(account) && WORKER_NAME.test(worker) ? { account, worker } : null;
}

/** On a port of one account's own the worker alone is a name too. Null: it has an account before its dot, or is none. */
export const parseWorkerName = (text: unknown): string | null =>
  typeof text === 'string' && !text.includes('.') && WORKER_NAME.test(text) ? text : null;
