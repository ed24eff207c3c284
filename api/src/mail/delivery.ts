/** Sends mails by SMTP. */
import { createTransport, type Transporter } from 'nodemailer';
import type { Pool } from 'pg';
import type { Querier } from '../db/querier';
import { transaction } from '../db/transaction';
import { refused } from '../outbox/outbox';
import type { Delivery, Outcome } from '../outbox/sender';
import type { NoteFacts } from '../outbox/texts';
import type { Secrets } from '../secrets';
import { mailAlerts } from './alerts';
import { linked, type MailContent } from './mail';
import { unsubscribeHeaders, unsubscribeLink } from './unsubscribe';

/** In all less than the lease of a message (outbox/outbox.ts). */
const TIMEOUTS = { dnsTimeout: 5000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
const PACE = { targetGapS: 0, gapMs: 0, roundMs: 500 };

type SmtpError = Error & { code?: string; command?: string; responseCode?: number };
/** Of a failed attempt, without what the server was told. */
const reasonOf = ({ code, command, responseCode }: SmtpError): string =>
  [code, command, responseCode].filter(Boolean).join(' ') || 'unknown error';

/** An address that takes no mail counts as not confirmed: its owner is told and asked for another, and it gets no codes. */
async function refuse(pool: Pool, tell: Tell | undefined, address: string, reason: string): Promise<void> {
  const announce = await transaction(pool, async (client) => {
    const { rows } = await client.query<{ userId: number }>(
      `with ended as (
         update identity_user set email_verified_at = null, updated_at = now()
         where email = $1 and email_verified_at is not null returning id
       )
       select a.id as "userId" from app_user a join ended e on e.id = a.identity_id`,
      [address],
    );
    await refused(client, 'mail', address, reason);
    const notes = rows.map(({ userId }) => ({ userId, kind: 'mail_refused', values: { address } }));
    return tell?.(client, notes, Date.now() / 1000);
  });
  announce?.();
}

/** Writes notifications; what it returns is called after the commit. */
type Tell = (db: Querier, notes: (NoteFacts & { userId: number })[], now: number) => Promise<() => void>;
/** `links`: to the pages at `poolUrl`; `secrets` signs those that end mails. */
export type MailOptions = {
  url: string;
  from: string;
  links?: { poolUrl: string; secrets: Secrets };
  tell?: Tell;
};

/** `url`: `smtp://user:password@host:587` or `smtps:`; `from`: `Name <address>`. */
export function mailDelivery(pool: Pool, { url, from, links, tell }: MailOptions): Delivery & { close(): void } {
  const transport: Transporter = createTransport({ url, ...TIMEOUTS, disableFileAccess: true, disableUrlAccess: true });
  const host = /@([^>\s]+)>?$/.exec(from)?.[1] ?? 'localhost';
  const failure = async (error: SmtpError, target: string): Promise<Outcome> => {
    const reason = reasonOf(error);
    const { code, command, responseCode = 0 } = error;
    const permanent = responseCode >= 500 && responseCode < 600;
    if (permanent && command === 'RCPT TO') {
      await refuse(pool, tell, target, reason);
      return 'refused';
    }
    if (permanent && code === 'EMESSAGE') return { failed: reason };
    return { retry: reason, isDown: responseCode === 0 || code === 'EAUTH' };
  };
  return {
    channel: 'mail',
    pace: PACE,
    async collect(now) {
      await mailAlerts(pool, now);
    },
    close: () => transport.close(),
    async send({ id, target, content }) {
      const written = JSON.parse(content) as MailContent;
      const end = links && written.ends ? unsubscribeLink(links, written.ends) : null;
      const { subject, text, html } = written.withLink && links ? linked(written, links.poolUrl, end) : written;
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: target },
          subject,
          text,
          html,
          // The same at each try, so that a mail that came twice can be known as one.
          messageId: `<outbox-${id}@${host}>`,
          headers: { 'Auto-Submitted': 'auto-generated', ...(end && unsubscribeHeaders(end)) },
        });
        return 'sent';
      } catch (error) {
        return failure(error as SmtpError, target);
      }
    },
  };
}
