/** Changes that wait for another person or for a time: what is shown of them, and what is done about them. */
import { z } from 'zod';
import { ORGANIZATION_ROLES } from '../../contract/roles';
import * as s from '../schemas';
import { byId, manages, reads, userCall, WAITING_KINDS } from './endpoint';

/** A place of a list of upstream pools, which are in their order. */
const place = z.object({
  account: z.string(),
  algorithm: s.algorithm,
  name: z.string(),
  url: z.string(),
  user: z.string(),
  enabled: z.boolean(),
});
const user = z.object({
  name: z.string(),
  admin: z.boolean(),
  disabled: z.boolean(),
  isLegacyUser: z.boolean(),
  feePercent: z.number().nullable(),
});
const payment = z.object({
  id: z.int(),
  account: z.string(),
  address: z.string().nullable(),
  amountSat: s.sats,
  status: z.enum(s.PAYMENT_STATUSES),
  txid: z.string().nullable(),
});
/** What is in force before a change, or after it; facts that do not change are left out. */
const facts = z
  .object({
    name: z.string(),
    address: z.string(),
    algorithm: s.algorithm,
    url: z.string(),
    user: z.string(),
    password: z.enum(['none', 'set', 'new']),
    places: z.array(place),
    email: z.string().nullable(),
    role: z.enum(ORGANIZATION_ROLES),
    money: z.boolean(),
    accounts: z.array(z.string()).nullable(),
    /** A rule, or an account, is there. */
    on: z.boolean(),
    users: z.array(user),
    payments: z.array(payment),
  })
  .partial();
/** `before` null: there was nothing; `after` null: there is nothing any more. */
export const shownChange = z.object({
  account: z.string().optional(),
  /** The member or pool that it is about. */
  name: z.string().optional(),
  before: facts.nullable(),
  after: facts.nullable(),
});
export type ShownChange = z.input<typeof shownChange>;
export type ShownFacts = NonNullable<ShownChange['before']>;

const change = z.object({
  id: z.int(),
  kind: z.enum(WAITING_KINDS),
  /** Name of the person who asks; null: who did is not kept. */
  by: z.string().nullable(),
  /** The caller asks. */
  own: z.boolean(),
  at: s.isoTime,
  /** The end of the wait: of one for a person the change is then dropped, of one for a time it is in force. */
  until: s.isoTime,
  waitsFor: z.enum(['owner', 'admin', 'time']),
  shown: shownChange,
  /** What the caller may do about it. */
  mayConfirm: z.boolean(),
  mayEnd: z.boolean(),
});
export type WaitingChange = z.input<typeof change>;

export const waiting = {
  'GET /waiting': userCall(reads('person'), {
    summary: 'List the changes that wait for me, or that I ask for: of the organization I act in, or of the pool',
    response: z.object({ changes: z.array(change) }),
  }),
  'POST /waiting/{id}': userCall(manages('person'), {
    sudo: true,
    summary: 'Confirm a change that another person asks for; requires a recent sign-in',
    params: byId,
    /** `link`: of an invitation, shown once. */
    response: z.object({ link: z.string().nullable() }),
  }),
  'DELETE /waiting/{id}': userCall(manages('person'), {
    summary: 'Decline a change that waits for another person, or take the own one back',
    params: byId,
    response: z.object({ ended: z.literal(true) }),
  }),
};
