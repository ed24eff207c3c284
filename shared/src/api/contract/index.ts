/** The HTTP contract: server, client and OpenAPI are made from it. Paths are below `/api`. */
import { access } from './access';
import { account } from './account';
import { accounting } from './accounting';
import { admin } from './admin';
import { adminClosing } from './admin-closing';
import { adminMoney } from './admin-money';
import { adminSystem } from './admin-system';
import { adminTerms } from './admin-terms';
import { clientErrors } from './client-errors';
import { hashrate } from './hashrate';
import { notifications } from './notifications';
import { organizations } from './organization';
import { payments } from './payments';
import { payouts } from './payouts';
import { poolConfigs } from './pool-configs';
import { publicCalls } from './public';
import { push } from './push';
import { referral } from './referral';
import { referralMoney } from './referral-money';
import { telegram } from './telegram';
import { viewAs } from './view-as';
import { waiting } from './waiting';
import { webhooks } from './webhooks';
import { workers } from './workers';
import type { Endpoint } from './endpoint';

export type * from '../admin-schemas';
export type * from '../arrival-schemas';
export type * from '../chart-schemas';
export type * from '../money-schemas';
export type * from '../schemas';
export type * from '../timeline-schemas';
export type * from '../telegram-schemas';
export type * from '../upstream-schemas';
export type * from '../webhook-schemas';
export type * from '../worker-schemas';
export { ERROR_CODES, type ErrorCode } from '../error-codes';
export { CHANGE_CAUSES } from '../money-schemas';
export { LINE, organizationName } from '../schemas';
export type { AccountLimit, AlertSetting } from './notifications';
export type { PushSettings, PushSubscription } from './push';
export type { NetworkDifficulty } from './public';
export type { KeptMail, SetupItem } from './admin-system';
/** @public Pages built with 1.0.0 name it. */
export type { OrganizationRequest } from './organization';
export { ADMIN, reads, type Endpoint, type SecondOwnerKind, type WaitingKind, type Waits, type Who } from './endpoint';
export type { ShownChange, ShownFacts, WaitingChange } from './waiting';

export const contract = {
  ...publicCalls,
  ...account,
  ...hashrate,
  ...workers,
  ...poolConfigs,
  ...payments,
  ...payouts,
  ...accounting,
  ...referral,
  ...referralMoney,
  ...notifications,
  ...clientErrors,
  ...telegram,
  ...webhooks,
  ...waiting,
  ...push,
  ...access,
  ...organizations,
  ...admin,
  ...adminClosing,
  ...adminMoney,
  ...adminSystem,
  ...adminTerms,
  ...viewAs,
} satisfies Record<string, Endpoint>;

export type Contract = typeof contract;
export type Call = keyof Contract;

/** Events of `GET /events` (server-sent events) and their data. Not in `contract` because it is a stream. */
export type PoolEvents = {
  /** The live hashrates of a sub-account have changed; at most every 5 s. `traceparent`: W3C, of what caused it. */
  hashrate: { account: string; algorithm: string; traceparent?: string };
  workers: { account: string; algorithm: string; traceparent?: string };
  payment: { account: string };
  /** A payout address was changed, or a change cancelled; it is held until `until` (ISO 8601). */
  wallet: {
    account: string;
    change: 'changed' | 'cancelled';
    oldAddress: string | null;
    newAddress: string;
    until: string | null;
  };
  notification: { id: number };
  /** An upstream (of the list of `account`) connected or was lost; with `why`, miners moved between the named ones. */
  upstream: { algorithm: string; account?: string; from?: string | null; to?: string | null; why?: string };
  /** Another version of a remote is served, or a remote was added or removed. */
  remotes: Record<string, never>;
};
