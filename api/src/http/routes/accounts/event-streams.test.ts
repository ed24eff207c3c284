import { abilityFor, createAbility } from '@pool/shared/ability';
import { reads } from '@pool/shared/api/contract';
import type { Principal } from '../../auth/principal';
import { EventStreams, type Stream } from './event-streams';

const streams = new EventStreams();
const watcher = { id: 1, scopes: ['workers'] as const, expiresAt: null };
/** `said`: the types it was sent; `looked`: how often an event came to it. */
function open(user: number, accounts: string[], token?: Principal['token'], member?: Principal['member']) {
  const facts = { role: 'miner', isLegacyUser: false } as const;
  const limits = member && { role: member.role, money: member.money, limited: member.accounts !== null };
  const ability = token ? createAbility([reads('workers')]) : abilityFor({ ...facts, member: limits });
  const of = { said: [] as string[], looked: 0 };
  const stream: Stream = {
    get me() {
      of.looked += 1;
      return { user: { id: user }, token, member, ability } as Principal;
    },
    send: (text) => of.said.push(/^event: (\w+)/.exec(text)?.[1] ?? ''),
    end: () => undefined,
  };
  streams.set(stream, new Set(accounts));
  of.looked = 0;
  return { of, stream };
}

it('an event comes to the streams of its account or user only', () => {
  const [a, b] = [open(1, ['a', 'a-2']), open(2, ['b'])];
  const link = open(1, ['a', 'a-2'], watcher);
  streams.publish({ type: 'workers', data: { account: 'a-2', algorithm: 'SCRYPT' } });
  streams.publish({ type: 'payment', data: { account: 'a' } });
  streams.publish({ type: 'notification', data: { id: 1 }, userId: 1 });
  expect([a.of.said, link.of.said]).toEqual([['workers', 'payment', 'notification'], ['workers']]);
  expect(b.of).toEqual({ said: [], looked: 0 });
  streams.publish({ type: 'upstream', data: { algorithm: 'SCRYPT' } });
  expect([b.of.said, link.of.said]).toEqual([['upstream'], ['workers']]);

  streams.set(a.stream, new Set(['a-3']));
  streams.delete(b.stream);
  streams.publish({ type: 'payment', data: { account: 'a' } });
  streams.publish({ type: 'payment', data: { account: 'a-3' } });
  streams.publish({ type: 'payment', data: { account: 'b' } });
  expect([a.of.said.slice(3), b.of.said]).toEqual([['upstream', 'payment'], ['upstream']]);
  expect(streams.all()).toHaveLength(2);
});

it('a member hears what the role may read, of the sub-accounts that it is limited to', () => {
  const technician = { user: { id: 9 }, role: 'technician', money: false, accounts: [2] } as Principal['member'];
  const { of } = open(5, ['hall-b'], undefined, technician);
  for (const account of ['hall-a', 'hall-b']) {
    streams.publish({ type: 'workers', data: { account, algorithm: 'SCRYPT' }, userId: 5 });
    streams.publish({ type: 'payment', data: { account }, userId: 5 });
  }
  streams.publish({ type: 'notification', data: { id: 1 }, userId: 9 });
  expect(of.said).toEqual(['workers', 'notification']);
});
