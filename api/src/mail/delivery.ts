/** Sends mails by SMTP. */
import { createTransport, type Transporter } from 'nodemailer';
import type { Pool } from 'pg';
import { refused } from '../outbox/outbox';
import type { Delivery, Outcome } from '../outbox/sender';
import { mailAlerts } from './alerts';
import { linked, type MailContent } from './mail';

/** In all less than the lease of a message (outbox/outbox.ts). */
const TIMEOUTS = { dnsTimeout: 5000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
const PACE = { targetGapS: 0, gapMs: 0, roundMs: 500 };

type SmtpError = Error & { code?: string; command?: string; responseCode?: number };
/** Of a failed attempt, without what the server was told. */
const reasonOf = ({ code, command, responseCode }: SmtpError): string =>
  [code, command, responseCode].filter(Boolean).join(' ') || 'unknown error';

/** An address that takes no mail counts as not confirmed: its owner is asked for another, and it gets no codes. */
async function refuse(pool: Pool, address: string, reason: string): Promise<void> {
  await pool.query('update identity_user set email_verified_at = null, updated_at = now() where email = $1', [address]);
  await refused(pool, 'mail', address, reason);
}

/** `poolUrl`: of the pages, for links. */
export type MailOptions = { url: string; from: string; poolUrl?: string };

/** `url`: `smtp://user:password@host:587` or `smtps:`; `from`: `Name <address>`. */
export function mailDelivery(pool: Pool, { url, from, poolUrl }: MailOptions): Delivery & { close(): void } {
  const transport: Transporter = createTransport({ url, ...TIMEOUTS, disableFileAccess: true, disableUrlAccess: true });
  const host = /@([^>\s]+)>?$/.exec(from)?.[1] ?? 'localhost';
  const failure = async (error: SmtpError, target: string): Promise<Outcome> => {
    const reason = reasonOf(error);
    const { code, command, responseCode = 0 } = error;
    const permanent = responseCode >= 500 && responseCode < 600;
    if (permanent && command === 'RCPT TO') {
      await refuse(pool, target, reason);
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
      const { subject, text, html } = written.withLink && poolUrl ? linked(written, poolUrl) : written;
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: target },
          subject,
          text,
          html,
          // The same at each try, so that a mail that came twice can be known as one.
          messageId: `<outbox-${id}@${host}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
        return 'sent';
      } catch (error) {
        return failure(error as SmtpError, target);
      }
    },
  };
}
