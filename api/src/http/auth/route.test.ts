import pino from 'pino';
import { contract } from '@pool/shared/api/contract';
import type { Principals } from './principal';
import { registerContract, type Handlers } from './route';
import { createServer } from '../server/server';

const nobody = { find: async () => null } as unknown as Principals;
const whole = Object.fromEntries(Object.keys(contract).map((call) => [call, () => null])) as unknown as Handlers;
const boot = async (handlers: unknown): Promise<void> =>
  registerContract(
    await createServer({ log: pino({ level: 'silent' }), rateLimit: 100, trustedProxies: [] }),
    nobody,
    handlers as Handlers,
  );

describe('boot', () => {
  it('goes on with a handler for every call', () => expect(boot(whole)).resolves.toBeUndefined());
  it('stops at a call without a handler', () =>
    expect(boot({ ...whole, 'GET /hashchart/': undefined })).rejects.toThrow('GET /hashchart/ has no handler'));
  it('stops at a handler that is in no contract', () =>
    expect(boot({ ...whole, 'GET /secret': () => null })).rejects.toThrow('not in the contract: GET /secret'));
  it('stops at a call that does not say who may make it', async () => {
    const restore = contract['GET /hashchart/'].who;
    Object.assign(contract['GET /hashchart/'], { who: undefined });
    await expect(boot(whole)).rejects.toThrow('GET /hashchart/ does not say who may call it');
    Object.assign(contract['GET /hashchart/'], { who: restore });
  });
});
