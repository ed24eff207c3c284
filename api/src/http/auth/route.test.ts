import pino from 'pino';
import { abilityFor, type AbilityFacts } from '@pool/shared/ability';
import { contract, type Call } from '@pool/shared/api/contract';
import type { Principal, Principals } from './principal';
import { authorise, registerContract, type Handlers } from './route';
import { createServer } from '../server/server';

const nobody = { find: async () => null } as unknown as Principals;
const whole = Object.fromEntries(Object.keys(contract).map((call) => [call, () => null])) as unknown as Handlers;
const boot = async (handlers: unknown): Promise<void> =>
  registerContract(
    await createServer({
      log: pino({ level: 'silent' }),
      rate: { perMinute: 100 },
      trustedProxies: [],
      hstsSeconds: 0,
    }),
    nobody,
    handlers as Handlers,
  );

describe('a call', () => {
  const miner = { role: 'miner', isLegacyUser: false } as const;
  const admin = { role: 'admin', isLegacyUser: false } as const;
  const lets = (call: Call, facts: AbilityFacts): boolean => {
    try {
      authorise(contract[call], { ability: abilityFor(facts), signedInAt: new Date() } as Principal);
      return true;
    } catch {
      return false;
    }
  };
  it.each([
    ['GET /wallet/', miner, true],
    ['PUT /wallet/', miner, true],
    ['PUT /users/', miner, false],
    ['PUT /users/', admin, true],
    ['GET /wallet/', { ...miner, readOnly: true }, true],
    ['PUT /wallet/', { ...miner, readOnly: true }, false],
    ['PUT /users/', { ...admin, readOnly: true }, false],
  ] as const)('%s by %j: %s', (call, facts, allowed) => expect(lets(call, facts)).toBe(allowed));

  it('that writes is never allowed to a read-only ability', () => {
    const writes = (Object.keys(contract) as Call[]).filter(
      (call) => !call.startsWith('GET ') && contract[call].who !== 'visitor',
    );
    expect(writes.filter((call) => lets(call, { ...admin, readOnly: true }))).toEqual([]);
  });
});

describe('boot', () => {
  it('stops at a call without a handler', () =>
    expect(boot({ ...whole, 'GET /hashchart/': undefined })).rejects.toThrow('GET /hashchart/ has no handler'));
  it('stops at a call without a required rule', async () => {
    const restore = contract['GET /hashchart/'].requires;
    Object.assign(contract['GET /hashchart/'], { requires: undefined });
    await expect(boot(whole)).rejects.toThrow('GET /hashchart/ does not say what it requires');
    Object.assign(contract['GET /hashchart/'], { requires: restore });
  });
});
