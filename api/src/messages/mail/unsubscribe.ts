/** Links that end mails of some kinds without signing in (RFC 8058). What security sends has none. */
import type { Secrets } from '../../platform/secrets';
import type { Ends } from './mail';

export const PATH = '/unsubscribe';
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
export function tokenOf(secrets: Secrets, query: unknown, now: number): Token | null {
  const { t } = query as { t?: unknown };
  const text = typeof t === 'string' ? secrets.tryOpen(t, OWNER) : null;
  const token = text === null ? null : (JSON.parse(text) as Token);
  return token && token.until > now ? token : null;
}
