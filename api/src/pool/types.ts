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

/** Where the Stratum proxy reports to. `share` is synchronous and never throws; false says it could not be kept, so it must not be acknowledged. */
export interface ShareSink {
  share(share: Share): boolean;
  presence(presence: WorkerPresence): void;
}

/** Who may mine as `name`; null refuses. */
export interface AccountDirectory {
  find(name: string): Promise<{ subAccountId: number; userId: number } | null>;
}
