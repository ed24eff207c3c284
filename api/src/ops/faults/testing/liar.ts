/** Test helper: a way to an upstream pool that changes what it answers. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

type Message = { id: number | null; method?: string; result?: unknown; error?: unknown };
export type Liar = {
  port: number;
  /** One of so many good shares is called bad; 0: it is honest. */
  every: number;
  /** It keeps a connection for so long; 0: for good. */
  keepsMs: number;
  /** Good shares that it called bad. */
  denied: number;
  /** Ends the connections that there are. */
  drop(): void;
  close(): Promise<void>;
};

export async function startLiar(to: number): Promise<Liar> {
  let shares = 0;
  const all = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect({ port: to, host: '127.0.0.1' });
    const submits = new Set<number | null>();
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    if (liar.keepsMs > 0) setTimeout(() => near.destroy(), liar.keepsMs);
    all.add(near.on('close', () => all.delete(near)));
    // Readline emits an error of its input again.
    const linesOf = (input: Socket) => createInterface({ input }).on('error', () => undefined);
    linesOf(near).on('line', (line) => {
      const { id, method } = JSON.parse(line) as Message;
      if (method === 'mining.submit') submits.add(id);
      far.write(`${line}\n`);
    });
    linesOf(far).on('line', (line) => {
      const { id, result } = JSON.parse(line) as Message;
      const isGood = submits.delete(id) && result === true;
      shares += isGood ? 1 : 0;
      const lies = isGood && liar.every > 0 && shares % liar.every === 0;
      liar.denied += lies ? 1 : 0;
      near.write(`${lies ? JSON.stringify({ id, result: null, error: [23, 'Low difficulty share', null] }) : line}\n`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const liar: Liar = {
    port: (server.address() as AddressInfo).port,
    every: 0,
    keepsMs: 0,
    denied: 0,
    drop: () => {
      for (const near of all) near.destroy();
    },
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
  return liar;
}
