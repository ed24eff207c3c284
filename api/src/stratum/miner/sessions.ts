/** All connected miners: who is let in, what users are told of theirs, how they are sent away. */
import type { Socket } from 'node:net';
import type { Arrivals } from '@pool/shared/api/contract';
import { ConnectionSlots, type Slot } from '../../platform/limits/connection-slots';
import { keepTrying } from '../../platform/keep-trying';
import type { OwnPort } from '../ports';
import type { Asker } from './access/refusals';
import { MinerSession, type SessionDeps } from './session';
import { VARDIFF } from './vardiff';

/** Miners that `drain` asks at once, how long they have, and all together. */
const WAVE = 256;
const WAVE_MS = 3000;
const DRAIN_MS = 35_000;
const POLL_MS = 20;
const MAX_ARRIVALS = 50;
const newest = <Told>(all: Told[]): Told[] => all.slice(-MAX_ARRIVALS).reverse();

/** Difficulty adjustments of each miner in the target time between two shares. */
const VARDIFF_TICKS = 12;

/** What each is told besides: where it came in. */
type Entrance = Pick<SessionDeps, 'algorithm' | 'owner' | 'port' | 'tls'>;

export class Sessions extends Set<MinerSession> {
  private readonly slots: ConnectionSlots;
  /** Two for all connections; idle miners are found a little late. */
  private readonly timers: NodeJS.Timeout[];

  constructor(private readonly deps: Omit<SessionDeps, keyof Entrance>) {
    super();
    const { limits, vardiff } = deps;
    const { targetSeconds } = { ...VARDIFF, ...vardiff };
    this.slots = new ConnectionSlots(limits.connections, limits.connectionsPerAddress);
    this.timers = [
      setInterval(() => this.endIdle(), Math.min(15_000, Math.max(50, limits.idleMs / 4))),
      setInterval(() => this.tick(), (targetSeconds * 1000) / VARDIFF_TICKS),
    ];
  }

  /** The slot of a new connection; null when it may not stay. At a limit one without an accepted share gives way. */
  admit(socket: Socket, address: string): Slot | null {
    const slot = this.slots.take(address, () => {
      this.deps.metrics?.refused.inc({ reason: 'full' });
      socket.destroy();
    });
    if (typeof slot === 'string') {
      this.deps.metrics?.refused.inc({ reason: slot === 'full' ? slot : 'address' });
      return null;
    }
    socket.once('close', slot.leave);
    return slot;
  }

  /** The connection is ready for Stratum. */
  enter(socket: Socket, address: string, { stay }: Slot, entrance: Entrance): void {
    const { metrics } = this.deps;
    const { algorithm } = entrance;
    metrics?.connections.inc({ algorithm });
    const ended = (session: MinerSession): void => {
      this.delete(session);
      metrics?.connections.dec({ algorithm });
    };
    this.add(new MinerSession(socket, address, { ...this.deps, ...entrance }, { proven: stay, ended }));
  }

  /** A sub-account's port is closed. */
  leavePort({ algorithm, subAccountId }: OwnPort): void {
    for (const session of this)
      if (session.deps.owner === subAccountId && session.deps.algorithm === algorithm) session.leave('port closed');
  }

  /** Ends all without waiting for pending shares. */
  stop(): void {
    for (const timer of this.timers) clearInterval(timer);
    for (const session of this) session.abandon();
  }

  private tick(): void {
    for (const session of this) session.tick();
  }

  private endIdle(): void {
    const now = performance.now();
    for (const session of this) if (session.idleAt < now) session.end('idle');
  }

  /** Miners of an account that have not had a share yet. */
  arrivals(asker: Asker): Omit<Arrivals, 'refused'> {
    const own = [...this].filter(({ subAccountId }) => subAccountId === asker.subAccountId);
    const mining: Arrivals['mining'] = {};
    for (const { isMining, deps } of own) if (isMining) mining[deps.algorithm] = (mining[deps.algorithm] ?? 0) + 1;
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
