/**
 * A page that costs the same whatever is built: a script of fixed size, and a fixed number of tasks. Other pages are
 * compared with it in one run, so that the machine's own speed falls out.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const KIB = 150;
/** Each is about 25 ms on a desktop computer. */
const TASKS = 10;
const STEPS = 1_000_000;

const PAGE = `<!doctype html><meta charset="utf-8"><title>Reference</title><link rel="icon" href="data:,"><h1>Reference</h1>
<script src="/script.js" defer></script>`;

/** Text that does not compress: nothing here does. */
function filling(): string {
  let seed = 1;
  const next = () => (seed = (seed * 48_271) % 2_147_483_647);
  return Array.from({ length: (KIB * 1024) / 8 }, () => next().toString(36).padStart(8, '0').slice(-8)).join('');
}

export async function startReference(): Promise<{ url: string; stop(): void }> {
  const script = `let x = 1, left = ${TASKS};
function work() {
  for (let i = 0; i < ${STEPS}; i += 1) x = (x * 48271) % 2147483647;
  left -= 1;
  if (left > 0) return setTimeout(work);
  const done = document.createElement('p');
  done.dataset.ready = 'figures chart';
  done.textContent = 'Done: ' + x;
  document.body.append(done);
}
work();
// ${filling()}`;
  const server = createServer((request, response) => {
    const isScript = request.url === '/script.js';
    response.writeHead(200, {
      'content-type': isScript ? 'text/javascript' : 'text/html',
      'cache-control': 'max-age=60',
    });
    response.end(isScript ? script : PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop: () => server.close() };
}
