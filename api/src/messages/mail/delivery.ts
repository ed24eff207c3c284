/** Sends mails by SMTP. */
import { createTransport, type Transporter } from 'nodemailer';
import type { Pool } from 'pg';
import type { Delivery, Outcome, Pace } from '../outbox/sender';
import type { Secrets } from '../../platform/secrets';
import { mailAlerts } from './alerts';
import { isGone, messageIdOf, refuse, statusIn } from './bounce';
import { contentIn, linked } from './mail';
import { unsubscribeHeaders, unsubscribeLink } from './unsubscribe';

/** Timeouts, together less than the lease of a message (outbox/outbox.ts). */
const TIMEOUTS = { dnsTimeout: 5000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
const PACE = { targetGapS: 0, gapMs: 0, roundMs: 500 };
/** The answer of a server that takes no more connections or mails for now, and how long it is left alone. */
const BUSY = { code: 421, afterS: 60 };

type SmtpError = Error & { code?: string; command?: string; response?: string; responseCode?: number };
/** The reason of a failed try. An answer of the server counts by its number, because its words may have the address. */
const reasonOf = ({ code, command, responseCode, message }: SmtpError): string =>
  [code, command, responseCode ?? message].filter(Boolean).join(' ');

/** `secrets` opens what is sealed. `links`: to the pages at `poolUrl`; its `secrets` sign those that end mails. */
export type MailOptions = {
  url: string;
  from: string;
  secrets: Secrets;
  links?: { poolUrl: string; secrets: Secrets };
  pace?: Pace;
};

/** `url`: `smtp://user:password@host:587` or `smtps:`; `from`: `Name <address>`. */
export function mailDelivery(
  pool: Pool,
  { url, from, secrets, links, pace = PACE }: MailOptions,
): Delivery & { close(): void } {
  const transport: Transporter = createTransport({ url, ...TIMEOUTS, disableFileAccess: true, disableUrlAccess: true });
  const host = /@([^>\s]+)>?$/.exec(from)?.[1] ?? 'localhost';
  const failure = async (error: SmtpError, target: string): Promise<Outcome> => {
    const reason = reasonOf(error);
    const { code, command, response = '', responseCode = 0 } = error;
    const permanent = responseCode >= 500 && responseCode < 600;
    // Some servers look at the address when they have the whole mail only.
    const isMail = code === 'EMESSAGE';
    if (permanent && (isMail || command === 'RCPT TO') && isGone(statusIn(response) ?? String(responseCode))) {
      await refuse(pool, { address: target, reason });
      return 'refused';
    }
    if (permanent && isMail) return { failed: reason };
    if (responseCode === BUSY.code) return { retry: reason, afterS: BUSY.afterS, isBusy: true };
    return { retry: reason, isDown: responseCode === 0 || code === 'EAUTH' };
  };
  return {
    channel: 'mail',
    pace,
    collect: (now) => mailAlerts(pool, now),
    close: () => transport.close(),
    async send({ id, token, target, content }) {
      const written = contentIn(secrets, target, content);
      if (!written) return { failed: 'its key is lost' };
      const end = links && written.ends ? unsubscribeLink(links, written.ends) : null;
      const { subject, text, html } = written.withLink && links ? linked(written, links.poolUrl, end) : written;
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: target },
          subject,
          text,
          html,
          messageId: messageIdOf({ id, token }, host),
          headers: { 'Auto-Submitted': 'auto-generated', ...(end && unsubscribeHeaders(end)) },
        });
        return 'sent';
      } catch (error) {
        return failure(error as SmtpError, target);
      }
    },
  };
}
