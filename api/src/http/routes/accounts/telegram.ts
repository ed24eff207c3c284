/** Telegram connections. Only a session can make and confirm one, API keys cannot. */
import { RateLimit } from '../../../platform/limits/rate-limit';
import {
  botOff,
  changeConnection,
  connectionsOf,
  removeConnection,
  sendTest,
} from '../../../messages/telegram/connections';
import { confirmLink, linkState, makeLink } from '../../../messages/telegram/links';
import type { Deps } from '../../context/deps';
import { type Acting, doerOf, personOf } from '../../auth/principal';
import { type Refused, problems } from '../../../platform/refused';
import type { Handlers } from '../../auth/route';

const GUESSES = 10;

export function telegramRoutes({ pool, telegram, now }: Deps) {
  const guesses = new RateLimit(GUESSES);
  const by = (of: Acting) => ({ ...doerOf(of), sessionId: of.me.sessionId, now: now() });
  /** The error for a wrong token or another user's; counts towards the limit of guesses. */
  const noSuchLink = (ip: string): Refused => {
    const wait = guesses.takeFrom(ip);
    return wait ? problems.tooMany('too_many_requests', wait) : problems.notFound();
  };
  return {
    'GET /telegram/': ({ me }) => connectionsOf(pool, personOf(me).id, now()),
    'POST /telegram/': async ({ me, body, request }) => {
      if (!telegram) throw botOff();
      const name = telegram.botName();
      if (name === null) throw problems.unavailable('telegram_unavailable', 30);
      const link = await makeLink(pool, by({ me, request }), body);
      return {
        id: link.id,
        token: link.token,
        deepLink: `https://t.me/${name}?start=${link.token}`,
        expiresAt: link.expiresAt.toISOString(),
      };
    },
    'PUT /telegram/{id}': ({ me, params: { id }, body, request }) =>
      changeConnection(pool, id, by({ me, request }), body),
    'DELETE /telegram/{id}': async ({ me, params: { id }, request }) => {
      await removeConnection(pool, id, by({ me, request }), personOf(me).userName);
      return { deleted: true };
    },
    'POST /telegram/{id}/test': async ({ me, params: { id }, request }) => {
      await sendTest(pool, id, by({ me, request }), telegram !== null);
      return { queued: true };
    },
    'GET /telegram/auth': async ({ me, query: { token }, request }) => {
      const state = await linkState(pool, token, by({ me, request }));
      if (!state) throw noSuchLink(request.ip);
      return state;
    },
    'POST /telegram/auth': async ({ me, body: { token }, request }) => {
      const connection = await confirmLink(pool, token, by({ me, request }));
      if (!connection) throw noSuchLink(request.ip);
      return connection;
    },
  } satisfies Partial<Handlers>;
}
