import { announceNotes } from '../../../messages/notifications';
import { dayOf } from '../../../platform/days';
import {
  activate,
  codeOf,
  makeCode,
  referralStats,
  referralTerms,
  referredUsers,
} from '../../../money/referral/referral';
import type { Deps } from '../../context/deps';
import { HttpProblem } from '../../server/problem';
import type { Handlers } from '../../auth/route';

export function referralRoutes({ pool, bus, config, now }: Deps) {
  const linkOf = (request: { protocol: string; host: string }, code: string): string =>
    `${request.protocol}://${request.host}${config.SIGN_UP_URL}?ref=${code}`;
  const terms = () => referralTerms(pool, dayOf(now()));
  return {
    'GET /referral/code': async ({ me, request }) => {
      const code = await codeOf(pool, me.user.id);
      return { code, link: code && linkOf(request, code), ...(await terms()) };
    },
    'POST /referral/code': async ({ me, request }) => {
      const code = await makeCode(pool, me.user.id);
      return { code, link: linkOf(request, code), ...(await terms()) };
    },
    'GET /referral/stats': ({ me }) => referralStats(pool, me.user.id, now()),
    'GET /referral/list': ({ me }) => referredUsers(pool, me.user.id, now()),
    'POST /referral/activate': async ({ me, body, request }) => {
      const result = await activate(pool, me.user.id, body.referralCode, request.ip);
      if (result.error !== null) throw new HttpProblem(result.error === 'referral_unknown' ? 404 : 409, result.error);
      announceNotes(bus, result.notes);
      return { activated: true };
    },
  } satisfies Partial<Handlers>;
}
