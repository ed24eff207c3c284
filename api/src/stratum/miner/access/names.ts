/** `account.worker` of `mining.authorize`. */
import { ACCOUNT_NAME, WORKER_NAME } from '@pool/shared/domain';

const DEFAULT_WORKER = 'default';
const trimmed = (name: string): string => name.replace(/^[ \t]+|[ \t]+$/g, '');

export type MinerName = { account: string; worker: string };

/**
 * Splits at the first dot; the account's case and blanks around a name do not matter, no worker or an empty one, as
 * HiveOS sends it, means `default`. Null when malformed.
 */
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
