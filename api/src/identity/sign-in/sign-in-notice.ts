/** Tells a user of a sign-in from a browser that the account was never signed in from. */
import { createHash } from 'node:crypto';
import { oneRow, type Querier } from '../../platform/db/querier';
import { deviceOf } from '../device';
import { RateLimit } from '../../platform/limits/rate-limit';
import type { Device, UserRow } from '../store';
import type { Parts } from '../parts';

/** Also how long the link in the mail is valid. */
const LIFE_H = 168;
const MAILS_AN_HOUR = 5;
const HOUR_MS = 3_600_000;

const hashOf = (browser: string): string => createHash('sha256').update(`browser ${browser}`).digest('base64url');

/** Remembers a browser. Returns whether the account was never signed in from it. */
export async function rememberBrowser(tx: Querier, { id }: UserRow, { browser }: Device): Promise<boolean> {
  const { inserted } = await oneRow<{ inserted: boolean }>(tx)`
    insert into identity_device (user_id, device_hash) values (${id}, ${hashOf(browser)})
    on conflict (user_id, device_hash) do update set seen_at = now()
    returning xmax = 0 as inserted`;
  return inserted;
}

/** Remembers the browser of a sign-in in its transaction, and tells the user if it is new. */
export function signInNotice({ pool, mails }: Parts) {
  const limiter = new RateLimit(MAILS_AN_HOUR, HOUR_MS);
  return async (tx: Querier, user: UserRow, device: Device): Promise<void> => {
    if (!(await rememberBrowser(tx, user, device))) return;
    const { browser_name: browser, device_type: system } = deviceOf(device.userAgent);
    const values = { device: [browser, system].filter(Boolean).join(', ') || '?', ip: device.ip };
    await pool.adminsTold(tx, user.id, values);
    // A user without mail would have no way to do anything about it.
    if (!mails || !user.email || !user.emailVerifiedAt) return;
    await pool.told(tx, user.id, ['sign_in', 'new'], values, values.ip);
    if (limiter.take(user.id) === 0)
      await mails.notice(tx, user, device.language, {
        kind: 'new_device',
        values,
        link: { kind: 'not_me', hours: LIFE_H },
      });
  };
}
