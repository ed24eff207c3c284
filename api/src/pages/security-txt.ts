/** `/.well-known/security.txt` (RFC 9116): whom to tell about a vulnerability. */
import { problems, sendProblem } from '../http/server/problem';
import type { ZodApp } from '../http/server/server';

/** RFC 9116 asks for less than a year: who restarts the server confirms the contacts. */
const VALID_MS = 360 * 86_400_000;

/** Without contacts there is no such file. */
export function securityTxt(app: ZodApp, contacts: readonly string[] = []): void {
  const expires = new Date(Date.now() + VALID_MS).toISOString().slice(0, 10);
  app.get('/.well-known/security.txt', { schema: { hide: true } }, (request, reply) => {
    if (contacts.length === 0) return sendProblem(reply, problems.notFound());
    const lines = [
      ...contacts.map((contact) => `Contact: ${contact}`),
      `Expires: ${expires}T00:00:00Z`,
      `Policy: ${request.protocol}://${request.host}/pages/security`,
      'Preferred-Languages: en',
    ];
    return reply
      .header('cache-control', 'no-cache')
      .type('text/plain; charset=utf-8')
      .send(`${lines.join('\n')}\n`);
  });
}
