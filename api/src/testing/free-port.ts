/** Test helpers. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections, one of which could take it before its server listens. */
const FIRST = 12_000;
const OF_EACH = 1000;
/** Test processes that run side by side have ports of their own. */
const lane = Number(process.env.JEST_WORKER_ID ?? Number(process.env.TEST_PARALLEL_INDEX ?? -1) + 1);
let tried = Math.floor(Math.random() * OF_EACH);

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    tried += 1;
    const port = FIRST + lane * OF_EACH + (tried % OF_EACH);
    const server = createServer().listen(port, '0.0.0.0');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
