/** The open event streams, by what their events are about: an event reaches only those that it may concern. */
import type { Subject } from '@pool/shared/ability';
import type { BusEvent } from '../../../platform/bus';
import { personOf, type Principal } from '../../auth/principal';

/** What a caller must be able to read to get a type of event; other types are for sessions only. */
export const SUBJECT_OF: Partial<Record<BusEvent['type'], Subject>> = {
  hashrate: 'dashboard',
  workers: 'workers',
  payment: 'payments',
  wallet: 'wallet',
  upstream: 'account',
};

export type Stream = { readonly me: Principal; send(text: string): void; end(): void };

class Index<K> {
  private readonly sets = new Map<K, Set<Stream>>();
  of(key: K): ReadonlySet<Stream> {
    return this.sets.get(key) ?? new Set();
  }
  add(key: K, stream: Stream): void {
    this.sets.set(key, (this.sets.get(key) ?? new Set()).add(stream));
  }
  delete(key: K, stream: Stream): void {
    const set = this.sets.get(key);
    if (set?.delete(stream) && set.size === 0) this.sets.delete(key);
  }
}

/** Whose events a stream gets: the person's, and the organization's in which the person acts. */
const peopleOf = ({ me }: Stream): number[] => [...new Set([me.user.id, personOf(me).id])];

export class EventStreams {
  private readonly accounts = new Map<Stream, ReadonlySet<string>>();
  private readonly byUser = new Index<number>();
  private readonly byAccount = new Index<string>();

  set(stream: Stream, accounts: ReadonlySet<string>): void {
    this.delete(stream);
    this.accounts.set(stream, accounts);
    for (const id of peopleOf(stream)) this.byUser.add(id, stream);
    for (const account of accounts) this.byAccount.add(account, stream);
  }

  delete(stream: Stream): void {
    for (const account of this.accounts.get(stream) ?? []) this.byAccount.delete(account, stream);
    for (const id of peopleOf(stream)) this.byUser.delete(id, stream);
    this.accounts.delete(stream);
  }

  all(): Stream[] {
    return [...this.accounts.keys()];
  }

  publish(event: BusEvent): void {
    const text = `event: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`;
    for (const stream of this.concernedBy(event)) if (this.mayHear(stream, event)) stream.send(text);
  }

  private mayHear(stream: Stream, { type, data, userId }: BusEvent): boolean {
    const { ability, token, member } = stream.me;
    const subject = SUBJECT_OF[type];
    if (subject === undefined) return !token;
    if (!ability.can('read', subject)) return false;
    // A role that is limited to some sub-accounts hears nothing of the others.
    const account = 'account' in data ? data.account : undefined;
    if (!member?.accounts) return true;
    return account === undefined ? userId === undefined : this.accounts.get(stream)?.has(account) === true;
  }

  /** Those of a user or an account; events of upstreams and remotes are everybody's. */
  private concernedBy(event: BusEvent): Iterable<Stream> {
    if (event.userId !== undefined) return this.byUser.of(event.userId);
    if (event.type === 'upstream' || event.type === 'remotes') return this.accounts.keys();
    return 'account' in event.data ? this.byAccount.of(event.data.account) : [];
  }
}
