/** What the proxy tells a user of miners that do not get through, and what it tells nobody. */
import { eventually } from '../../../testing/eventually';
import { stratumForEach } from '../../testing/for-each';
import type { RawClient, TestProxy } from '../../testing/test-proxy';
import { EASY } from '../../testing/upstream';
import { isNear, Refusals } from './refusals';

const NOW = 1_800_000_000;
const anna = { subAccountId: 1, account: 'anna-farm', network: '203.0.113.7' };
const refused = (name: unknown, facts: { subAccountId?: number; at?: number } = {}) => ({
  at: facts.at ?? NOW,
  algorithm: 'SCRYPT' as const,
  reason: facts.subAccountId === undefined ? ('no_account' as const) : ('wrong_password' as const),
  subAccountId: facts.subAccountId ?? null,
  name,
});
const namesFor = (refusals: Refusals, asker = anna): (string | null)[] =>
  refusals.of(asker, NOW).map(({ name }) => name);

describe('refusals', () => {
  it("show a user those of their own account whole, and no other account's, from their own network neither", () => {
    const refusals = new Refusals();
    refusals.note('198.51.100.1', refused('anna-farm.rig', { subAccountId: 1 }));
    refusals.note('198.51.100.1', refused('anna-farm.before', { subAccountId: 1, at: NOW - 5 }));
    refusals.note(anna.network, refused('boris.rig', { subAccountId: 2 }));
    expect(namesFor(refusals)).toEqual(['anna-farm.rig', 'anna-farm.before']);
  });

  it('of names that do not exist: nearly the account’s without its worker; from their network shortened; else none', () => {
    const refusals = new Refusals();
    refusals.note('198.51.100.1', refused('ana-farm.secret-rig'));
    refusals.note(anna.network, refused('bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'));
    refusals.note('198.51.100.2', refused('clara.rig'));
    refusals.note(anna.network, refused('clara7.rig'));
    refusals.note(anna.network, refused('x.clara'));
    refusals.note(anna.network, refused('claras7.rig'));
    expect(namesFor(refusals).sort()).toEqual(['ana-farm', 'bc1…dq', 'cla…s7', 'c…', 'x…']);
    expect(namesFor(refusals, { ...anna, network: '' })).toEqual(['ana-farm']);
  });

  it('are forgotten after a quarter of an hour, said once however often tried, and bounded by network', () => {
    const refusals = new Refusals();
    refusals.note('198.51.100.1', refused('anna_farm.old', { at: NOW - 901 }));
    for (let i = 0; i < 100; i += 1) refusals.note(anna.network, refused(`x${i}.rig`));
    for (let i = 0; i < 3; i += 1) refusals.note('198.51.100.3', refused('anna_farm.rig'));
    const names = namesFor(refusals);
    expect(names).toHaveLength(10);
    expect(namesFor(refusals, { ...anna, network: '' })).toEqual(['anna_farm']);
    refusals.note('198.51.100.1', refused('anna_farm.young', { at: NOW - 900 }));
    refusals.note('198.51.100.1', { ...refused('anna_farm.young'), algorithm: 'SHA256_ASICBOOST' });
    expect(namesFor(refusals, { ...anna, network: '' })).toEqual(Array(3).fill('anna_farm'));
    expect(names.filter((name) => name === 'anna_farm')).toHaveLength(1);
    refusals.note('198.51.100.4', refused('anna farm\u0007'));
    expect(namesFor(refusals, { ...anna, network: '198.51.100.4' })).toContain(null);
    const long = 'x'.repeat(97);
    for (const name of [long, `${long}x`, ' x', 7]) refusals.note('198.51.100.5', refused(name, { subAccountId: 5 }));
    expect(namesFor(refusals, { subAccountId: 5, account: 'dora', network: '' })).toEqual([null, long]);
  });

  it.each([
    ['anna-farm', 'ana-farm', true],
    ['anna-farm', 'anna-farm_rig1', true],
    ['anna-farm', 'hanna', false],
    ['bob', 'bop', true],
    ['bob', 'pop', false],
    ['bob', 'bob-rig', true],
    ['bob', 'bobrig', false],
    ['farms', 'far', false],
    ['farmer', 'farm', true],
    ['farmer', 'far', false],
    ['farm', 'farmer', false],
    ['anna-farm', 'nana-farm', true],
    ['anna-farm', 'naan-farm', false],
    ['anna-farm', 'aanna-farmm', true],
  ])('%s and %s: %s', (account, typed, near) => expect(isNear(account, typed)).toBe(near));
});

describe('the proxy', () => {
  const { stub, proxyOf, connect } = stratumForEach();
  let answer: { result: unknown; error: unknown } = { result: null, error: [23, 'Low difficulty share', null] };
  let test: TestProxy;
  beforeEach(async () => {
    test = await proxyOf([(await stub({ submit: () => answer })).target]);
  });
  const join = async (user: string, password: string): Promise<RawClient> => {
    const client = connect(test.port);
    await client.call('mining.subscribe', ['rig/1']);
    await client.authorise(user, password);
    return client;
  };
  const asker = { subAccountId: 1, account: 'alice', network: '127.0.0.1' };
  const arrivals = () => test.proxy.arrivals(asker);

  it('tells of a connection without a name, to whom is in its network', async () => {
    const client = connect(test.port);
    await eventually(() => arrivals().nameless[0]?.subscribed === false, 'the connection');
    await client.call('mining.subscribe', ['rig/1']);
    expect(arrivals().nameless).toEqual([
      { algorithm: 'SHA256_ASICBOOST', since: expect.any(Number), subscribed: true },
    ]);
    const others = { ...asker, network: '203.0.113.7' };
    expect(test.proxy.arrivals(others).nameless).toEqual([]);
    client.destroy();
    await eventually(() => arrivals().refused[0]?.reason === 'no_name', 'its end');
    expect(arrivals()).toMatchObject({ nameless: [], refused: [{ reason: 'no_name', name: null }] });
    expect(test.proxy.arrivals(others).refused).toEqual([]);
  });

  it('tells of wrong passwords and names, and of a connected miner whose shares are all too easy', async () => {
    await join('alice.rig', 'wrong');
    await join('alize.rig', 'x');
    await join('bob.rig', 'wrong');
    expect(new Set(arrivals().refused.map(({ reason }) => reason))).toEqual(new Set(['no_account', 'wrong_password']));
    expect(arrivals().refused).toHaveLength(2);
    const miner = await join('alice.rig', 'x');
    await miner.job();
    await eventually(() => arrivals().connected[0]?.difficulty === EASY, 'the difficulty');
    expect(arrivals().connected).toEqual([
      expect.objectContaining({ worker: 'rig', software: 'rig/1', refusedShares: 0, lowDifficulty: false }),
    ]);
    expect(await miner.submit()).toBe(23);
    expect(arrivals().connected).toEqual([expect.objectContaining({ refusedShares: 1, lowDifficulty: true })]);
    answer = { result: true, error: null };
    expect(await miner.submit()).toBe(true);
    expect(arrivals()).toMatchObject({ connected: [], mining: { SHA256_ASICBOOST: 1 } });
  });
});
