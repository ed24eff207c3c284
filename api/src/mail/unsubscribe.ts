/** Ends mails by a link, without signing in (RFC 8058): of the kinds in the mail. What security sends has no such link. */
import { createHash } from 'node:crypto';
import type { TelegramEvent } from '@pool/shared/api/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { endMails } from '../accounts/alert-setting';
import type { ZodApp } from '../http/server/server';
import { languageOf } from '../outbox/texts';
import type { Secrets } from '../secrets';
import { type Ends, STYLE, unsubscribePage } from './mail';

const PATH = '/unsubscribe';
const LIFE_S = 60 * 86_400;
const OWNER = 'unsubscribe';
type Token = Pick<Ends, 'userId' | 'events'> & { until: number };

export function unsubscribeLink(
  { poolUrl, secrets }: { poolUrl: string; secrets: Secrets },
  { userId, events }: Ends,
): string {
  const token: Token = { userId, events, until: Date.now() / 1000 + LIFE_S };
  return `${new URL(PATH, poolUrl).href}?${new URLSearchParams({ t: secrets.seal(JSON.stringify(token), OWNER) })}`;
}

/** Mail programs post to https only. */
export const unsubscribeHeaders = (link: string): Record<string, string> => ({
  'List-Unsubscribe': `<${link}>`,
  ...(link.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
});

/** The link's; null: it was made by somebody else, or is too old. */
function tokenOf(secrets: Secrets, query: unknown, now: number): Token | null {
  const { t } = query as { t?: unknown };
  const text = typeof t === 'string' ? secrets.tryOpen(t, OWNER) : null;
  const token = text === null ? null : (JSON.parse(text) as Token);
  return token && token.until > now ? token : null;
}

const POLICY =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
  "form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** Following the link only asks: mail programs look at links. */
export async function unsubscribeRoutes(
  app: ZodApp,
  { pool, secrets, now }: { pool: Pool; secrets: Secrets; now(): number },
): Promise<void> {
  const answer = (
    request: FastifyRequest,
    reply: FastifyReply,
    events: TelegramEvent[] | null,
    done: boolean,
  ): FastifyReply =>
    reply
      .code(events ? 200 : 400)
      .headers({ 'content-security-policy': POLICY, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      .type('text/html; charset=utf-8')
      .send(unsubscribePage(languageOf(request.headers['accept-language']), events, done));
  await app.register(async (scope) => {
    // `List-Unsubscribe=One-Click` as a form of either kind; the link says everything.
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null, undefined));
    const options = { schema: { hide: true }, onRequest: scope.rateLimit({ max: 60, allowList: () => false }) };
    scope.get(PATH, options, (request, reply) =>
      answer(request, reply, tokenOf(secrets, request.query, now())?.events ?? null, false),
    );
    scope.post(PATH, options, async (request, reply) => {
      const token = tokenOf(secrets, request.query, now());
      if (token) await endMails(pool, token.userId, token.events, { actorId: token.userId, ip: request.ip });
      return answer(request, reply, token?.events ?? null, true);
    });
  });
}
