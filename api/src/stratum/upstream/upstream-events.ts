/** What the connections to an upstream are told, and what they tell. */
import type { Extranonce } from '../wire/extranonce';
import type { Limits } from '../wire/limits';
import type { ErrorCode } from '../wire/protocol';
import type { UpstreamFailure } from './link';
import type { Spared } from './optional-calls';
import type { Reconnect } from './reconnect';
import type { UpstreamJob } from './upstream-job';
import type { Outbound, Place } from './upstream-socket';
import type { Names, UpstreamTarget } from './upstream-target';

/** What the connections to one upstream share. */
export type Upstream = {
  readonly target: UpstreamTarget;
  readonly usable: boolean;
  /** What it is known to do without. */
  readonly spared: Spared;
  /** Where a connection starts for which nothing is suggested; null: unknown. */
  startDifficulty: number | null;
  /** Lines that make no sense, which were dropped. */
  strays: number;
  /** Milliseconds that a connection stays which no miner needs. */
  holdMs(): number;
  works(grants: { versionMask: number; extranonce: Extranonce | null }, latencyMs: number): void;
  verdict(ms: number, accepted: boolean): void;
  /** `isLook`: it was to show whether the upstream works, and had no work. */
  failed(failure: UpstreamFailure, livedMs: number, isLook: boolean): void;
};

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
