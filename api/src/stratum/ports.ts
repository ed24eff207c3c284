/** What the Stratum side hands to the accounting, and what it asks of it. */
import type { AlgorithmName } from '@pool/shared/domain';

export type ShareOutcome = 'accepted' | 'stale' | 'rejected';

export type Share = {
  subAccountId: number;
  algorithm: AlgorithmName;
  worker: string;
  /** Difficulty stored with the job the share answers. */
  difficulty: number;
  outcome: ShareOutcome;
  /** Unix milliseconds when the proxy answered. */
  at: number;
  /** It went to a pool of the sub-account's own, which pays for it and says what it was worth: shown, never paid for here. */
  ownPool?: boolean;
};

export type WorkerPresence = {
  subAccountId: number;
  algorithm: AlgorithmName;
  worker: string;
  connected: boolean;
  difficulty: number | null;
  software: string | null;
  /** Peer address. */
  remote: string | null;
  at: number;
};

/** Where the Stratum proxy reports to. */
export interface ShareSink {
  /** False: it could not be kept, so it must not be acknowledged. A promise: nobody knows yet. Neither throws nor rejects. */
  share(share: Share): boolean | Promise<boolean>;
  presence(presence: WorkerPresence): void;
}

/** Who may be mined for. `minerPassword`: what its miners have to give, salted and hashed; without one any will do. */
export type MinerAccount = { subAccountId: number; userId: number; minerPassword?: string | null };

/** Who may mine as `name`; null refuses. */
export interface AccountDirectory {
  find(name: string): Promise<MinerAccount | null>;
  /** The same by id, with the name. */
  byId(subAccountId: number): Promise<(MinerAccount & { name: string }) | null>;
  /** Those of these sub-accounts nobody may mine for any more: deleted, or their user disabled. */
  closed(subAccountIds: readonly number[]): Promise<number[]>;
  /**
   * Calls back when accounts were closed, opened or changed; miners of those in `reconnect` have to authorise anew.
   * Returns the function that unsubscribes.
   */
  onChange(listener: (reconnect: readonly number[]) => void): () => void;
}

/** An upstream pool of a sub-account's own list, ready to connect to. */
export type PoolTarget = {
  /** `sub_account_pool_config.id`: what the status is asked by. */
  id: number;
  algorithm: AlgorithmName;
  name: string;
  /** Without user and password: may be shown. */
  url: string;
  host: string;
  port: number;
  tls: boolean;
  user: string;
  /** Null: the stored one cannot be read. Such a pool is never connected to. */
  password: string | null;
};

/** The upstream pools sub-accounts chose. Only one without any mines to the pool's own default list. */
export interface PoolLists {
  /** Enabled pools of the sub-account, best first. Rejects when they cannot be read. */
  find(subAccountId: number, algorithm: AlgorithmName): Promise<PoolTarget[]>;
  /** Calls back with the sub-accounts whose lists changed; returns the function that unsubscribes. */
  onChange(listener: (subAccountIds: readonly number[]) => void): () => void;
}

/** How one pool of a sub-account's list is doing. */
export type PoolStatus = {
  /** `active`: its miners work for it now; `standby`: works, or was never tried; `unreadable`: its stored password is. */
  state: 'active' | 'standby' | 'down' | 'auth_failed' | 'unreadable';
  latencyMs: number | null;
  /** In words for a person; null when it works. */
  lastError: string | null;
  /** Unix seconds of the last time it came or went. */
  lastSwitchAt: number | null;
  /** Part (0 to 1) of the last hour's shares it refused; null without shares. */
  rejectRate: number | null;
};

export type PoolTest = 'ok' | 'refused' | 'auth_failed' | 'timeout';

/** What the proxy tells of the pools sub-accounts chose. */
export interface PoolWatch {
  /** By `sub_account_pool_config.id`. Only pools the proxy looks after now are in it: nobody mines for the others, which are `standby` (or `disabled`). */
  poolStatus(subAccountId: number): Map<number, PoolStatus>;
  /** Connects, subscribes, authorises and waits for work, at most ten seconds. An address that is not allowed is `refused`. Never rejects. */
  testPool(target: PoolTarget): Promise<PoolTest>;
}

/** Stratum ports of sub-accounts' own. */
export interface PortList {
  all(): Promise<{ subAccountId: number; algorithm: AlgorithmName; port: number }[]>;
  onChange(listener: () => void): () => void;
}
