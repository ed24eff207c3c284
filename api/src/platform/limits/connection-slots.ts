/** Slots for connections: at a limit the one idle for longest, of the site with the most idle ones, gives way. */
import { networksOf, siteOf } from '../network-of';

export type Slot = {
  /** It is at work: it does not give way. */
  stay(): void;
  /** It is idle from now on. */
  rest(): void;
  leave(): void;
};
/** Why a newcomer gets no slot: connections at work have all of them, or all of its network's. */
export type NoSlot = 'full' | 'network';

type Guest = { site: string; networks: readonly string[]; end(): void };

export class ConnectionSlots {
  private readonly guests = new Set<Guest>();
  private readonly ofNetwork = new Map<string, number>();
  /** Idle connections by site, those that have been idle the longest first. */
  private readonly idle = new Map<string, Set<Guest>>();

  constructor(
    private readonly max: number,
    private readonly maxOfNetwork: number,
  ) {}

  /** `end` is called when it has to give way. `shared`: its address is of a proxy, on which many networks come in. */
  take(address: string, end: () => void, shared = false): Slot | NoSlot {
    const networks = shared ? [] : networksOf(address);
    const site = siteOf(address);
    const crowded = networks.find(
      ({ network, factor }) => (this.ofNetwork.get(network) ?? 0) >= this.maxOfNetwork * factor,
    );
    if (crowded && !this.free(site, (guest) => guest.networks.includes(crowded.network))) return 'network';
    if (this.guests.size >= this.max && !this.free(this.largest())) return 'full';
    const guest = { site, networks: networks.map(({ network }) => network), end };
    this.guests.add(guest);
    for (const network of guest.networks) this.ofNetwork.set(network, (this.ofNetwork.get(network) ?? 0) + 1);
    this.rest(guest);
    return { stay: () => this.stay(guest), rest: () => this.rest(guest), leave: () => this.leave(guest) };
  }

  private rest(guest: Guest): void {
    if (!this.guests.has(guest)) return;
    const idle = this.idle.get(guest.site) ?? new Set();
    this.idle.set(guest.site, idle.add(guest));
  }

  private stay(guest: Guest): void {
    const idle = this.idle.get(guest.site);
    if (idle?.delete(guest) && idle.size === 0) this.idle.delete(guest.site);
  }

  private leave(guest: Guest): void {
    if (!this.guests.delete(guest)) return;
    this.stay(guest);
    for (const network of guest.networks) {
      const count = (this.ofNetwork.get(network) ?? 0) - 1;
      if (count > 0) this.ofNetwork.set(network, count);
      else this.ofNetwork.delete(network);
    }
  }

  private largest(): string | undefined {
    let found: string | undefined;
    let most = 0;
    for (const [site, { size }] of this.idle) if (size > most) [found, most] = [site, size];
    return found;
  }

  /** Ends the first idle connection of a site that `fits`. */
  private free(site: string | undefined, fits = (_: Guest): boolean => true): boolean {
    for (const guest of (site !== undefined && this.idle.get(site)) || []) {
      if (!fits(guest)) continue;
      this.leave(guest);
      guest.end();
      return true;
    }
    return false;
  }
}
