/** Limits upstream connections per address and account until one of their miners worked (docs/adr/0005-stratum.md). */
import type { Limits } from '../wire/limits';

/** The connected miners of one network or of one account. */
type Group = {
  key: string;
  /** Upstream connections allowed until one of its miners had a share accepted. */
  limit: number;
  proven: boolean;
  members: number;
  connected: Set<Member>;
  waiting: Set<Member>;
};
/** `groups`: its smallest network comes first. */
type Member = { groups: Group[]; events: GateEvents; connected: boolean; since: number };

export type GateEvents = {
  /** The miner has a place: connect to its upstream. */
  connect(): void;
  /** The miner sent no share in time and others wait: close its upstream connection; it waits for its next turn. */
  pause(): void;
};
export type Entry = {
  /** Call when a share of it was accepted. */
  prove(): void;
  /** Call when it has disconnected and its upstream connection is closed. */
  leave(): void;
};

export class ProofGate {
  private readonly groups = new Map<string, Group>();
  private readonly members = new Set<Member>();

  constructor(
    private readonly limits: Pick<Limits, 'unprovenPerAddress' | 'unprovenPerAccount' | 'unprovenMs'>,
    private readonly now = () => performance.now(),
  ) {}

  get waiting(): number {
    return [...this.members].filter(({ connected }) => !connected).length;
  }

  /** Calls `connect` at once or when a place is free. */
  enter(networks: readonly { network: string; factor: number }[], account: string, events: GateEvents): Entry {
    const { unprovenPerAddress, unprovenPerAccount } = this.limits;
    const groups = [
      ...networks.map(({ network, factor }) => this.group(`address ${network}`, unprovenPerAddress * factor)),
      this.group(`account ${account}`, unprovenPerAccount),
    ];
    const member: Member = { groups, events, connected: false, since: this.now() };
    this.members.add(member);
    for (const group of groups) group.members += 1;
    const crowded = fits(member) ? null : oneOfTheCrowd(member);
    if (crowded) this.replace(crowded, member);
    else if (fits(member)) this.connect(member);
    else this.queue(member);
    return { prove: () => this.prove(member), leave: () => this.leave(member) };
  }

  /** Gives the places of miners that sent no accepted share within `unprovenMs` to waiting ones. */
  rotate(): void {
    const before = this.now() - this.limits.unprovenMs;
    for (const member of [...this.members]) {
      if (!member.connected || member.since > before || isProven(member)) continue;
      release(member);
      const [next] = candidates(member.groups);
      occupy(member);
      if (next) this.replace(member, next);
    }
  }

  stop(): void {
    this.members.clear();
    this.groups.clear();
  }

  private group(key: string, limit: number): Group {
    const group = this.groups.get(key) ?? {
      key,
      limit,
      proven: false,
      members: 0,
      connected: new Set<Member>(),
      waiting: new Set<Member>(),
    };
    this.groups.set(key, group);
    return group;
  }

  private queue(member: Member): void {
    member.since = this.now();
    for (const { waiting } of member.groups) waiting.add(member);
  }

  private replace(member: Member, next: Member): void {
    release(member);
    this.queue(member);
    member.events.pause();
    this.connect(next);
  }

  private connect(member: Member): void {
    member.since = this.now();
    occupy(member);
    member.events.connect();
  }

  /** Connects the waiting miners of these groups that fit now. */
  private admit(groups: Group[]): void {
    for (const member of candidates(groups)) if (this.members.has(member) && fits(member)) this.connect(member);
  }

  private prove(member: Member): void {
    if (isProven(member)) return;
    for (const group of member.groups) group.proven = true;
    this.admit(member.groups);
  }

  private leave(member: Member): void {
    if (!this.members.delete(member)) return;
    const { groups, connected } = member;
    for (const group of groups) {
      group.waiting.delete(member);
      group.members -= 1;
      if (group.members === 0) this.groups.delete(group.key);
    }
    if (!connected) return;
    release(member);
    this.admit(groups);
  }
}

const isProven = ({ groups }: Member): boolean => groups.every(({ proven }) => proven);
const fits = ({ groups }: Member): boolean =>
  groups.every(({ proven, connected, limit }) => proven || connected.size < limit);

/** How many miners of its address are connected. */
const crowdOf = ({ groups: [address] }: Member): number => address?.connected.size ?? 0;

/** Waiting miners of these groups that fit, of the addresses with the fewest connections first. */
function candidates(groups: Group[]): Member[] {
  return [...new Set(groups.flatMap(({ waiting }) => [...waiting]))]
    .filter(fits)
    .sort((a, b) => crowdOf(a) - crowdOf(b) || a.since - b.since);
}

/** The miner that gives way to a newcomer: the longest connected of the most crowded address, by two; else null. */
function oneOfTheCrowd(newcomer: Member): Member | null {
  const full = newcomer.groups.find((group) => !group.proven && group.connected.size >= group.limit);
  let found: Member | null = null;
  let most = crowdOf(newcomer) + 1;
  for (const member of full?.connected ?? []) if (crowdOf(member) > most) [found, most] = [member, crowdOf(member)];
  if (!found) return null;
  release(found);
  const isEnough = fits(newcomer);
  occupy(found);
  return isEnough ? found : null;
}

function occupy(member: Member): void {
  member.connected = true;
  for (const group of member.groups) {
    group.connected.add(member);
    group.waiting.delete(member);
  }
}

function release(member: Member): void {
  member.connected = false;
  for (const group of member.groups) group.connected.delete(member);
}
