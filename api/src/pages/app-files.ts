/** Files of the build at addresses that never change: the web app manifest, an icon that iOS asks for, the worker. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { absent } from '../remotes/own-file';
import { problems } from '../platform/refused';
import { sendProblem } from '../http/server/problem';
import type { ZodApp } from '../http/server/server';
import { originOf } from '../platform/origin-of';

/** Removes the worker that a browser has, and all that it kept. */
const REMOVER = `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) await caches.delete(name);
  await registration.unregister();
})()));
`;

/** The worker answers from its caches and asks the pool, nobody else. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

/** `withWorker` false, or a build without one: browsers that have it remove it. */
export function appFiles(app: ZodApp, { shellFolder, withWorker }: { shellFolder: string; withWorker: boolean }): void {
  const read = (name: string) => readFile(join(shellFolder, name)).catch(absent);

  const types = {
    'manifest.webmanifest': 'application/manifest+json',
    'apple-touch-icon.png': 'image/png',
    // Served for teams whose remotes are to run in this shell (`npm run remote -- conform`).
    'surface.txt': 'text/plain; charset=utf-8',
  };
  for (const [name, type] of Object.entries(types))
    app.get(`/${name}`, async (_request, reply) => {
      const content = await read(name);
      if (content === null) return sendProblem(reply, problems.notFound());
      return reply.header('cache-control', 'no-cache').type(type).send(content);
    });

  app.get('/service-worker.js', async (_request, reply) => {
    const worker = withWorker ? await read('service-worker.js') : null;
    return reply
      .header('cache-control', 'no-cache')
      .header('content-security-policy', WORKER_POLICY)
      .type('text/javascript; charset=utf-8')
      .send(worker?.toString() ?? REMOVER);
  });
}

/** RFC 9116 asks for less than a year: who restarts the server confirms the contacts. */
const VALID_MS = 360 * 86_400_000;

/** `/.well-known/security.txt` (RFC 9116): contacts for vulnerability reports; not served without contacts. */
export function securityTxt(app: ZodApp, contacts: readonly string[] = []): void {
  const expires = new Date(Date.now() + VALID_MS).toISOString().slice(0, 10);
  app.get('/.well-known/security.txt', { schema: { hide: true } }, (request, reply) => {
    if (contacts.length === 0) return sendProblem(reply, problems.notFound());
    const lines = [
      ...contacts.map((contact) => `Contact: ${contact}`),
      `Expires: ${expires}T00:00:00Z`,
      `Policy: ${originOf(request)}/pages/security`,
      'Preferred-Languages: en',
    ];
    return reply
      .header('cache-control', 'no-cache')
      .type('text/plain; charset=utf-8')
      .send(`${lines.join('\n')}\n`);
  });
}
