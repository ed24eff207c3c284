/** Looks after an upstream on its own, so that its state is known before a miner comes and while none is there. */
import { backoff, type Limits } from './limits';
import { UpstreamConnection } from './upstream-connection';
import type { UpstreamState } from './upstream-state';

export type ProbeTimes = { everyMs: number; downMaxMs: number };
export const PROBE: ProbeTimes = { everyMs: 30_000, downMaxMs: 5000 };

/** Returns the function that stops it. */
export function probe(state: UpstreamState, limits: Limits, times: ProbeTimes = PROBE): () => void {
  let connection: UpstreamConnection | null = null;
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  let failures = 0;

  const again = (ms: number): void => {
    if (!stopped) timer = setTimeout(look, ms);
  };
  const look = (): void => {
    // Miners at work know better.
    if (state.connectionsOf() > 0) return again(times.everyMs);
    let worked = false;
    connection = new UpstreamConnection(state.target, limits, {
      onReady: (latencyMs) => {
        worked = true;
        failures = 0;
        state.works({ extranonceSize: connection?.extranonce?.size ?? 0, versionMask: connection?.versionMask ?? 0, latencyMs });
        state.latency(latencyMs);
        connection?.close();
      },
      onDifficulty: () => undefined,
      onJob: () => undefined,
      onVersionMask: () => undefined,
      onClosed: (failure) => {
        connection = null;
        if (stopped) return;
        if (worked) return again(times.everyMs);
        state.failed(failure);
        again(backoff(failures++, { backoffMs: limits.backoffMs, backoffMaxMs: times.downMaxMs }));
      },
    });
  };
  look();
  return () => {
    stopped = true;
    if (timer) clearTimeout(timer);
    connection?.close();
  };
}
