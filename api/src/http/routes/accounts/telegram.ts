/** Telegram connections. Only a session can make and confirm one, API keys cannot. */
import { RateLimit } from '../../../platform/limits/rate-limit';
import {
  type By,
  changeConnection,
  connectionsOf,
  removeConnection,
  sendTest,
} from '../../../messages/telegram/connections';
import { confirmLink, linkState, makeLink, MAX_CONNECTIONS } from '../../../messages/telegram/links';
import type { Deps } from '../../context/deps';
import { personOf, type Principal } from '../../auth/principal';
import { found, HttpProblem, problems } from '../../server/problem';
import type { Handlers } from '../../auth/route';

const GUESSES = 10;

const expired = (): HttpProblem =>
  new HttpProblem(410, 'telegram_link_expired', { detail: 'The link has expired. Make a new one.' });

export function telegramRoutes({ pool, telegram, now }: Deps) {
  const guesses = new RateLimit(GUESSES);
  const by = ({ me, request }: { me: Principal; request: { ip: string } }): By => ({
    userId: personOf(me).id,
    sessionId: me.sessionId,
    ip: request.ip,
    now: now(),
  });
  /** The error for a wrong token or another user's; counts towards the limit of guesses. */
  const noSuchLink = (ip: string): HttpProblem => {
    const wait = guesses.takeFrom(ip);
    return wait ? problems.tooMany('too_many_requests', wait) : problems.notFound();
  };
  const off = (): HttpProblem => problems.conflict('telegram_off', 'This pool has no Telegram bot.');
  return {
    'GET /telegram/': ({ me }) => connectionsOf(pool, personOf(me).id, now()),
    'POST /telegram/': async ({ me, body, request }) => {
      if (!telegram) throw off();
      const name = telegram.botName();
      if (name === null) throw problems.unavailable('telegram_unavailable', 30);
      const link = await makeLink(pool, by({ me, request }), body);
      if (link === 'not_found') throw problems.notFound();
      if (link === 'too_many') throw problems.conflict('too_many_connections', `At most ${MAX_CONNECTIONS} chats.`);
      return {
        id: link.id,
        token: link.token,
        deepLink: `https://t.me/${name}?start=${link.token}`,
        expiresAt: link.expiresAt.toISOString(),
      };
    },
    'PUT /telegram/{id}': async ({ me, params: { id }, body, request }) => {
      const changed = found(await changeConnection(pool, id, by({ me, request }), body));
      telegram?.wake();
      return changed;
    },
    'DELETE /telegram/{id}': async ({ me, params: { id }, request }) => {
      if (!(await removeConnection(pool, id, by({ me, request }), personOf(me).userName))) throw problems.notFound();
      telegram?.wake();
      return { deleted: true };
    },
    'POST /telegram/{id}/test': async ({ me, params: { id }, request }) => {
      const done = await sendTest(pool, id, by({ me, request }), telegram !== null);
      if (done === 'not_found') throw problems.notFound();
      if (done === 'not_linked')
        throw problems.conflict('telegram_not_linked', 'This chat is not linked, or has stopped the bot.');
      if (done === 'off') throw off();
      telegram?.wake();
      return { queued: true };
    },
    'GET /telegram/auth': async ({ me, query: { token }, request }) => {
      const state = await linkState(pool, token, by({ me, request }));
      if (state === 'not_found') throw noSuchLink(request.ip);
      if (state === 'expired') throw expired();
      return state;
    },
    'POST /telegram/auth': async ({ me, body: { token }, request }) => {
      const done = await confirmLink(pool, token, by({ me, request }));
      if (done.refused === null) {
        telegram?.wake();
        return done.connection;
      }
      if (done.refused === 'not_found') throw noSuchLink(request.ip);
      if (done.refused === 'expired') throw expired();
      if (done.refused === 'used')
        throw new HttpProblem(410, 'telegram_link_used', { detail: 'The link was used. Make a new one.' });
      throw problems.conflict('telegram_not_started', 'Open the link in Telegram first.');
    },
  } satisfies Partial<Handlers>;
}
