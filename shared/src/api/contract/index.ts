/**
 * Every HTTP call: the only source. The server validates and serialises with it, the client is typed by it,
 * OpenAPI is generated from it. Paths are below `/api`; a trailing slash is optional on the wire.
 */
import { access } from './access';
import { account } from './account';
import { accounting } from './accounting';
import { admin } from './admin';
import { hashrate } from './hashrate';
import { notifications } from './notifications';
import { payments } from './payments';
import { payouts } from './payouts';
import { poolConfigs } from './pool-configs';
import { publicCalls } from './public';
import { referral } from './referral';
import { referralMoney } from './referral-money';
import { telegram } from './telegram';
import { viewAs } from './view-as';
import { workers } from './workers';
import type { Endpoint } from './endpoint';

export type * from '../money-schemas';
export type * from '../schemas';
export type * from '../telegram-schemas';
export type * from '../upstream-schemas';
export { ADMIN, manages, reads, type Endpoint, type Who } from './endpoint';

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
  ...telegram,
  ...access,
  ...admin,
  ...viewAs,
} satisfies Record<string, Endpoint>;

export type Contract = typeof contract;
export type Call = keyof Contract;

/** `GET /events`, server-sent: the name of each event and its data. Not in `contract` because it is a stream. */
export type PoolEvents = {
  /** New live windows of one sub-account, at most every 5 s. */
  hashrate: { account: string; algorithm: string };
  workers: { account: string; algorithm: string };
  payment: { account: string };
  /** A payout address was changed, or a change cancelled; addresses shortened. Held until `until`, ISO 8601. */
  wallet: {
    account: string;
    change: 'changed' | 'cancelled';
    oldAddress: string | null;
    newAddress: string;
    until: string | null;
  };
  notification: { id: number };
  /**
   * An upstream came or went; with an `account`: one of that sub-account's own list. With `why`, a word of `SwitchWord`
   * (api/src/stratum/failover/route.ts), miners went to another: `from` and `to` are names of pools, null when none works.
   */
  upstream: { algorithm: string; account?: string; from?: string | null; to?: string | null; why?: string };
};
