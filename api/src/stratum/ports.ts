/** Interfaces between the Stratum proxy and the rest of the server. */
import type { SubAccountPoolConfig } from '@pool/shared/api/contract';
import type { AlgorithmName } from '@pool/shared/domain';

export type ShareOutcome = 'accepted' | 'stale' | 'rejected';

/** The pool's upstream that a share is credited for. `accepted`: what it counts in any case; 0: it did not get the share. */
export type Taken = { upstream: string; accepted: number };

export type Share = {
  subAccountId: number;
  algorithm: AlgorithmName;
  worker: string;
  /** Difficulty of the job the share is for. */
  difficulty: number;
  outcome: ShareOutcome;
  /** Unix milliseconds when the proxy answered. */
  at: number;
  /** Sent to a pool of the sub-account's own, which pays for it and decides its worth: shown, never paid for here. */
  ownPool?: boolean;
  /** Only accepted shares that are paid for here have it. */
  taken?: Taken;
};

export type WorkerPresence = {
  subAccountId: number;
  algorithm: AlgorithmName;
  worker: string;
  connected: boolean;
  difficulty: number | null;
  software: string | null;
  /** Seconds without a share that chance explains; null: unknown. */
  silence?: number | null;
  remote: string | null;
  /** The pool's port that it came in at. */
  port?: number | null;
  tls?: boolean;
  at: number;
};

/** Receives what the Stratum proxy reports. */
export interface ShareSink {
  /** False: it could not be recorded and must not be acknowledged. Neither throws nor rejects. */
  share(share: Share): boolean | Promise<boolean>;
  /** Shares come faster than they are recorded: read no more of them for now. */
  readonly busy?: boolean;
  presence(presence: WorkerPresence): void;
}

/** A sub-account to mine for. `minerPassword`: salted hash of the password its miners have to send; null allows any. */
export type MinerAccount = { subAccountId: number; name: string; userId: number; minerPassword: string | null };

export interface AccountDirectory {
  /** Null: no such account. */
  find(name: string): Promise<MinerAccount | null>;
  byId(subAccountId: number): Promise<MinerAccount | null>;
  /** Account by name or id as it was last read, for when it cannot be read. Null: unknown. */
  known?(by: string | number): MinerAccount | null;
  /** Names of workers that the owner knows, or that mined on an earlier day and came in no crowd of new names. */
  ownWorkers(account: { subAccountId: number; algorithm: AlgorithmName }): Promise<ReadonlySet<string>>;
  /** Returns those of these sub-accounts that may no longer be mined for: unknown, deleted, or their user disabled. */
  closed(subAccountIds: readonly number[]): Promise<number[]>;
  /** Calls back when accounts changed; miners of those in `reconnect` have to authorise again. */
  onChange(listener: (reconnect: readonly number[]) => void): () => void;
}

/** An upstream pool of a sub-account's own list, ready to connect to. */
export type PoolTarget = {
  /** `sub_account_pool_config.id`, the key of `poolStatus`. */
  id: number;
  algorithm: AlgorithmName;
  name: string;
  /** Address without user and password, so it may be shown. */
  url: string;
  host: string;
  port: number;
  tls: boolean;
  user: string;
  /** Null: the stored one cannot be decrypted. Such a pool is never connected to. */
  password: string | null;
};

/** The upstream pools that sub-accounts configured. A sub-account without any uses the pool's default list. */
export interface PoolLists {
  /** Enabled pools of the sub-account, best first; null: it is closed or unknown. Rejects when they cannot be read. */
  find(subAccountId: number, algorithm: AlgorithmName): Promise<PoolTarget[] | null>;
  /** The same as it was last read: for when it cannot be read. Null: unknown. */
  known?(subAccountId: number, algorithm: AlgorithmName): PoolTarget[] | null;
  /** Calls back with the sub-accounts whose lists changed; returns the function that unsubscribes. */
  onChange(listener: (subAccountIds: readonly number[]) => void): () => void;
}

/**
 * State of one pool of a sub-account's list. `active`: in use now; `standby`: works, or was never tried; `unreadable`:
 * its stored password cannot be read. `lastSwitchAt`: of the last time it started or stopped working.
 */
export type PoolStatus = Pick<SubAccountPoolConfig, 'latencyMs' | 'lastError' | 'lastSwitchAt' | 'rejectRate'> & {
  state: Exclude<SubAccountPoolConfig['state'], 'disabled'>;
};

export type PoolTest = 'ok' | 'refused' | 'auth_failed' | 'timeout';

export type StratumPort = { algorithm: AlgorithmName; port: number };
/** A port of a sub-account. */
export type OwnPort = StratumPort & { subAccountId: number };

export interface PortList {
  all(): Promise<OwnPort[]>;
  /** The same as it was last read: for when it cannot be read. Null: unknown. */
  known?(): OwnPort[] | null;
  onChange(listener: () => void): () => void;
}
