/** What one connection to an upstream is told, and what it tells. */
import type { Limits } from '../wire/limits';
import type { ErrorCode } from '../wire/protocol';
import type { UpstreamFailure } from './link';
import type { Spared } from './optional-calls';
import type { Reconnect } from './reconnect';
import type { UpstreamJob } from './upstream-job';
import type { Outbound, Place } from './upstream-socket';
import type { Names } from './upstream-target';

/** `user`: the name that it counts for. `mask`: bits of the version that it carries. */
export type UpstreamShare = Record<'user' | 'extranonce2' | 'ntime' | 'nonce', string> &
  Record<'version' | 'mask', number> & { jobId: string | number };

export type SubmitAnswer =
  | { accepted: true }
  | { accepted: false; code: ErrorCode; message: string }
  | { accepted: false; lost: true };

export type UpstreamEvents = {
  /** Subscribed and authorised, the first job follows; `difficulty`, `extranonce` and `versionMask` are known. */
  onReady(latencyMs: number): void;
  /** It has the connection's `difficulty`; a new one is announced before the job from which on it counts. */
  onJob?(job: UpstreamJob): void;
  /** Shares of the jobs before may count at another difficulty from now on. */
  onDifficulty?(difficulty: number): void;
  onVersionMask?(mask: number): void;
  /** Its extranonce changed, which counts from the next job on. */
  onExtranonce?(): void;
  /** It has work and asks for another connection. */
  onReconnect?(to: Reconnect): void;
  /** It does not take this name beside its first. */
  onNameRefused?(user: string): void;
  /** It sent a line that makes no sense, which was dropped. */
  onStray?(): void;
  /** Called once, after all pending submits were answered with `lost`. */
  onClosed(failure: UpstreamFailure): void;
  onVerdict?(ms: number, accepted: boolean): void;
};

export type ConnectionOptions = {
  limits: Limits;
  outbound?: Outbound;
  names?: Names;
  /** Where to connect to, if not as configured. */
  place?: Place;
  /** What the pool is known to do without. */
  spared?: Spared;
  /** Difficulty to suggest in the handshake; null: none. */
  suggested?(): number | null;
};
