import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turnOver } from 'node:timers/promises';
import { BEGUN_AT_ONCE, RoundRobin } from './round-robin';

it('of one network few requests are begun at once, in their order; others are begun between them', async () => {
  const begun: string[] = [];
  const handle = new RoundRobin(({ socket }) => socket.remoteAddress).guard(({ url }) => begun.push(url ?? ''));
  const send = (url: string, remoteAddress: string) =>
    handle({ url, socket: { remoteAddress } } as unknown as IncomingMessage, {} as ServerResponse);
  const flood = Array.from({ length: 20 }, (_, i) => `/flood/${i}`);
  for (const url of flood) send(url, '192.0.2.1');
  send('/first', '192.0.2.2');
  expect(begun).toEqual([...flood.slice(0, BEGUN_AT_ONCE), '/first']);
  await turnOver();
  send('/second', '192.0.2.2');
  expect(begun.length).toBeLessThanOrEqual(2 * BEGUN_AT_ONCE + 2);
  expect(begun.at(-1)).toBe('/second');
  for (let turn = 0; begun.length < flood.length + 2 && turn < flood.length; turn += 1) await turnOver();
  expect(begun.filter((url) => url.startsWith('/flood'))).toEqual(flood);
});
