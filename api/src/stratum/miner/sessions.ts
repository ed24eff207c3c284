/** All connected miners: who is let in, what users are told of theirs, how they are sent away. */
import type { Socket } from 'node:net';
import type { Arrivals } from '@pool/shared/api/contract';
import { ConnectionSlots, type Slot } from '../../platform/limits/connection-slots';
import { keepTrying } from '../../platform/keep-trying';
import type { Limits } from '../wire/limits';
import type { Asker } from './access/refusals';
import type { StratumMetrics } from './metrics';
import type { MinerSession } from './session';

/** Miners that `drain` asks at once, how long they have, and all together. */
const WAVE = 256;
const WAVE_MS = 3000;
const DRAIN_MS = 35_000;
const POLL_MS = 20;
const MAX_ARRIVALS = 50;
const newest = <Told>(all: Told[]): Told[] => all.slice(-MAX_ARRIVALS).reverse();

export class Sessions extends Set<MinerSession> {
  private readonly slots: ConnectionSlots;

  constructor(
    limits: Limits,
    private readonly metrics?: StratumMetrics,
  ) {
    super();
    this.slots = new ConnectionSlots(limits.connections, limits.connectionsPerAddress);
  }

  /** The slot of a new connection; null when it may not stay. At a limit one without an accepted share gives way. */
  admit(socket: Socket, address: string): Slot | null {
    const slot = this.slots.take(address, () => {
      this.metrics?.refused.inc({ reason: 'full' });
      socket.destroy();
    });
    if (typeof slot === 'string') {
      this.metrics?.refused.inc({ reason: slot === 'full' ? slot : 'address' });
      return null;
    }
    socket.once('close', slot.leave);
    return slot;
  }

  tick(): void {
    for (const session of this) session.tick();
  }

  endIdle(): void {
    const now = performance.now();
    for (const session of this) if (session.idleAt < now) session.end('idle');
  }

  /** Miners of an account that have not had a share yet. */
  arrivals(asker: Asker): Omit<Arrivals, 'refused'> {
    const own = [...this].filter(({ subAccountId }) => subAccountId === asker.subAccountId);
    const mining: Arrivals['mining'] = {};
    for (const { isMining, algorithm } of own) if (isMining) mining[algorithm] = (mining[algorithm] ?? 0) + 1;
    return {
      nameless: newest([...this].flatMap((session) => session.namelessOf(asker.network) ?? [])),
      connected: newest(own.flatMap((session) => session.arrival ?? [])),
      mining,
    };
  }

  /** Asks all to connect anew, in waves; resolves when they have gone. */
  async drain(): Promise<void> {
    const all = [...this];
    const waveMs = Math.min(WAVE_MS, DRAIN_MS / Math.ceil(all.length / WAVE));
    for (let first = 0; first < all.length; first += WAVE) {
      const wave = all.slice(first, first + WAVE);
      for (const session of wave) session.askToReconnect();
      await keepTrying(waveMs, async () => !wave.some((session) => this.has(session)), POLL_MS);
      for (const session of wave) session.leave('the pool moves');
    }
  }

  /** Resolves when every share is answered, after `withinMs` at the latest. */
  answered(withinMs: number): Promise<boolean> {
    return keepTrying(withinMs, async () => [...this].every(({ unanswered }) => unanswered === 0), POLL_MS);
  }
}
