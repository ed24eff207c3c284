/** The page for who has lost the second factor, from the second step of the sign-in. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { clientSecret, deviceIn } from './cookies';
import { IdentityError } from './errors';
import { plainPage, type PageCall } from './plain-pages';
import type { Locked, Recovery } from './recovery';
import type { IdentityService } from './service';
import { findVisitor } from './store';
import { hostOf } from './verify';

const RECOVERY_PATH = '/account-recovery';

export function recoveryPages(
  app: FastifyInstance,
  { service, recovery, signInUrl }: { service: IdentityService; recovery: Recovery; signInUrl: string },
): void {
  const lockedIn = async (request: FastifyRequest): Promise<Locked | null> =>
    recovery.lockedOut(await findVisitor(service.db, clientSecret(request)));
  const form = (words: string, step: 'send' | 'begin') => ({ path: RECOVERY_PATH, words, hidden: { step } });
  const askCode = (call: PageCall, error?: string) => {
    const { title, text } = call.page('recovery.code');
    const field = { code: call.say('recovery.code.field'), error };
    return { title, text, form: { ...form(call.say('recovery.code.button'), 'begin'), ...field } };
  };
  plainPage(app, RECOVERY_PATH, signInUrl, {
    get: async (call) => {
      const locked = await lockedIn(call.request);
      if (!locked) return call.page('recovery.sign_in');
      if (!(await recovery.isOffered(locked))) return call.page('recovery.operator');
      const { title, text } = call.page('recovery');
      return { title, text, form: form(call.say('recovery.button'), 'send') };
    },
    post: async (call) => {
      const { request, fields } = call;
      const locked = hostOf(request.headers.origin ?? '') === request.host ? await lockedIn(request) : null;
      if (!locked || !(await recovery.isOffered(locked))) return call.page('recovery.sign_in');
      if (fields.step !== 'begin') {
        await recovery.sendCode(locked, deviceIn(request));
        return askCode(call);
      }
      try {
        const until = await recovery.begin(locked, fields.code, deviceIn(request));
        return call.page('recovery.begun', { until: until.toISOString().slice(0, 16).replace('T', ' ') });
      } catch (error) {
        if (!(error instanceof IdentityError) || error.status !== 422) throw error;
        return { status: 422, page: askCode(call, call.say('recovery.code.wrong')) };
      }
    },
  });
}
