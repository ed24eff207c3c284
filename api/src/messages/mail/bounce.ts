/**
 * Addresses that take no mail: refused while a mail is handed over, or by a bounce that comes later. A bounce is
 * believed by the token in the Message-ID of the mail that it returns, which only who got that mail knows.
 */
import type { Pool } from 'pg';
import { firstRow, valuesOf } from '../../platform/db/querier';
import { transaction } from '../../platform/db/transaction';
import { writeNotes } from '../notifications';
import { refused } from '../outbox/outbox';

/** The same at each try, so that a mail that came twice can be known as one. */
export const messageIdOf = ({ id, token }: { id: number; token: string }, host: string): string =>
  `<outbox-${id}.${token}@${host}>`;
const MESSAGE_ID = /<outbox-(\d{1,15})\.([\da-f-]{36})@/;

/** `recipients`: in lower case, those not delivered to. `status`: RFC 3463, else the code of SMTP. */
export type Bounce = { id: number; token: string; recipients: string[]; status: string };

const STATUS = /\b[245]\.\d{1,3}\.\d{1,3}\b/;
/** More of a text is not looked at. */
const MAX_FIELD = 2000;
const addressesIn = (text: string): string[] =>
  [...text.slice(0, MAX_FIELD).matchAll(/[^\s<>;,:()"]+@[^\s<>;,:()"]+/g)].map(([address]) => address.toLowerCase());
/** Enhanced status code in an answer of SMTP, or in a text that quotes one. */
export const statusIn = (text: string): string | undefined => {
  const status = STATUS.exec(text)?.[0];
  return status?.endsWith('.0.0') === false ? status : (/\b[45]\d\d(?=[ -])/.exec(text)?.[0] ?? status);
};

/** Report of RFC 3464; undefined: the mail has no such report. */
function reported(report: string): Omit<Bounce, 'id' | 'token'> | undefined {
  const field = (name: string): string => new RegExp(`^${name}:(.*)$`, 'im').exec(report)?.[1] ?? '';
  const status = statusIn(field('Status'));
  if (status === undefined || !/failed/i.test(field('Action'))) return undefined;
  return {
    recipients: addressesIn(`${field('Final-Recipient')} ${field('Original-Recipient')}`),
    status: status.endsWith('.0.0') ? (statusIn(field('Diagnostic-Code')) ?? status) : status,
  };
}

/** Bounce without a report: address and reason in a paragraph (qmail, OpenSMTPD), or a field in the head (Exim). */
function written(report: string): Omit<Bounce, 'id' | 'token'> | undefined {
  const exim = /^X-Failed-Recipients:(.*)$/im.exec(report)?.[1];
  const paragraph = /^<?([^<>\s:]+@[^<>\s:]+)>?:\s+([^]*?)(?:\n\s*\n|$(?![^]))/m.exec(report);
  const recipients = addressesIn(exim ?? paragraph?.[1] ?? '');
  const status = statusIn(exim === undefined ? (paragraph?.[2] ?? '') : report.slice(report.search(/\n\n/)));
  return recipients.length > 0 && status !== undefined ? { recipients, status } : undefined;
}

/** Null: not a bounce of a mail of this pool, or of a form that says no reason. */
export function bounceIn(message: string): Bounce | null {
  // Soft line breaks of quoted-printable, and folded fields.
  const text = message
    .replace(/\r\n/g, '\n')
    .replace(/=\n/g, '')
    .replace(/\n[ \t]+(?=\S)/g, ' ');
  const own = MESSAGE_ID.exec(text);
  const facts = reported(text) ?? written(text);
  return own && facts ? { id: Number(own[1]), token: own[2] ?? '', ...facts } : null;
}

/** The address does not exist; a full mailbox, or a refusal of the mail or its sender, does not say so. */
export const isGone = (status: string): boolean => /^(55[013]|5\.1\.(?![789]$)\d+|5\.2\.[01]|5\.4\.[14])$/.test(status);

/** An address that takes no mail counts as not confirmed: its owner is told, and it gets no codes. */
export const refuse = (
  pool: Pool,
  { address, reason, since = null }: { address: string; reason: string; since?: Date | null },
): Promise<void> =>
  transaction(pool, async (client) => {
    const ids = await valuesOf<number>(client)`
      with ended as (
        update identity_user set email_verified_at = null, updated_at = now()
        where email = ${address} and email_verified_at <= coalesce(${since}::timestamptz, 'infinity') returning id
      )
      select a.id from app_user a join ended e on e.id = a.identity_id`;
    if (since === null || ids.length > 0) await refused(client, 'mail', address, reason);
    const notes = ids.map((userId) => ({ userId, kind: 'mail_refused', values: { address } }));
    await writeNotes(client, notes, Date.now() / 1000);
  });

/** What was done, for the operator. An address that was confirmed after the mail was queued stays. */
export async function takeBounce(pool: Pool, { id, token, recipients, status }: Bounce): Promise<string> {
  const mail = await firstRow<{ target: string; createdAt: Date }>(pool)`
    select target, created_at from outbox where id = ${id} and token = ${token} and channel = 'mail'`;
  if (!mail) return 'Not a mail that this pool sent in the last week. Nothing is done.';
  const { target, createdAt: since } = mail;
  if (!recipients.includes(target.toLowerCase()))
    return `${recipients.join(', ')} is where ${target} forwards to. Nothing is done.`;
  if (!isGone(status)) return `${target}: ${status}, which is not about the address. Nothing is done.`;
  await refuse(pool, { address: target, reason: `bounced ${status}`, since });
  return `${target} takes no mail (${status}): it counts as not confirmed, and its owner is told.`;
}
