/** Organizations: several people, one farm. */
import { z } from 'zod';
import { ORGANIZATION_ROLES } from '../../contract/roles';
import { LANGUAGES } from '../../i18n/languages';
import * as s from '../schemas';
import { byId, manages, reads, SECOND_OWNER_KINDS, userCall, visitorCall } from './endpoint';

const role = z.enum(ORGANIZATION_ROLES);
/** Names of the sub-accounts that a role is limited to; null: all. */
const accounts = z.array(s.accountName).min(1).max(100).nullable();
/** What a member may do. `money`: a viewer sees money. */
const grant = z.strictObject({ role, money: z.boolean().default(false), accounts: accounts.default(null) });
const shownGrant = { role, money: z.boolean(), accounts };

const organizationMember = z.object({
  /** Id of the person. */
  id: z.int(),
  userName: z.string(),
  email: z.string().nullable(),
  ...shownGrant,
  /** It is the caller. */
  own: z.boolean(),
  since: s.isoTime,
  /** When the removal by another owner takes effect. */
  removalAt: s.isoTime.nullable(),
});
const invitation = z.object({
  id: z.string(),
  email: z.string().nullable(),
  ...shownGrant,
  expiresAt: s.isoTime,
});
/** A change that waits for another owner, for pages of 1.0.0; today's read `GET /waiting`. */
const request = z.object({
  id: z.int(),
  kind: z.enum(SECOND_OWNER_KINDS),
  /** Name of the member who asks. */
  by: z.string(),
  /** The caller asks. */
  own: z.boolean(),
  at: s.isoTime,
  expiresAt: s.isoTime,
  about: z.object({
    account: z.string().optional(),
    name: z.string().optional(),
    pools: z.array(z.string()).optional(),
    url: z.string().optional(),
    user: z.string().optional(),
    address: z.string().optional(),
    enabled: z.boolean().optional(),
    priority: z.int().optional(),
    grant: z.object(shownGrant).optional(),
  }),
});
/** @public Pages built with 1.0.0 name it. */
export type OrganizationRequest = z.input<typeof request>;
const organization = z.object({
  id: z.string(),
  name: z.string(),
  /** Another owner confirms changes of payout addresses, upstream pools and members. */
  secondOwner: z.boolean(),
  /** All that wait, for an owner; for others their own. */
  requests: z.array(request),
  members: z.array(organizationMember),
  /** Open invitations; only owners get them. */
  invitations: z.array(invitation),
});

const name = s.organizationName;
const done = z.object({ organization });
const token = z.strictObject({ token: z.string().regex(/^[\w-]{43}$/) });

const shownInvitation = z.object({ organization: z.string(), role, money: z.boolean(), expiresAt: s.isoTime });

export const organizations = {
  'GET /organization': userCall(reads('organization'), {
    summary: 'Get the organization I act in, with its members; null outside of any',
    response: z.object({
      organization: organization.nullable(),
      /** Outside of any: the name that my own account would have beside an organization made of it. */
      ownName: s.accountName.optional(),
    }),
  }),
  'POST /organization': userCall(manages('organization'), {
    sudo: true,
    summary: 'Make an organization of my account, which takes all its sub-accounts along; requires a recent sign-in',
    body: z.strictObject({ name }),
    response: z.object({ id: z.string() }),
  }),
  'PUT /organization': userCall(manages('organization'), {
    summary: 'Rename the organization I act in',
    body: z.strictObject({ name }),
    response: done,
  }),
  'PUT /organization/secondOwner': userCall(manages('organization'), {
    sudo: true,
    waits: { for: ['owner'], shows: 'one_owner' },
    summary:
      'Ask for a second owner for addresses, upstream pools and members, or no longer; requires a recent sign-in',
    body: z.strictObject({ wanted: z.boolean() }),
    response: done,
  }),
  'POST /organization/requests/{id}': userCall(manages('organization'), {
    sudo: true,
    summary: 'Confirm a change that another member asks for; requires a recent sign-in',
    params: byId,
    response: z.object({ organization: organization.nullable(), link: z.string().nullable() }),
  }),
  'DELETE /organization/requests/{id}': userCall(manages('person'), {
    summary: 'Decline a change that waits for a second owner, or take the own one back',
    params: byId,
    response: done,
  }),
  'PUT /organization/members/{id}': userCall(manages('organization'), {
    sudo: true,
    waits: { for: ['owner'], shows: 'member' },
    summary: 'Change what a member may do; requires a recent sign-in',
    params: byId,
    body: grant,
    response: done,
  }),
  'DELETE /organization/members/{id}': userCall(manages('organization'), {
    sudo: true,
    waits: { for: ['owner', 'time'], shows: 'member_removal' },
    summary: 'Remove a member, an owner after 72 hours; requires a recent sign-in',
    params: byId,
    response: done,
  }),
  'DELETE /organization/members/{id}/removal': userCall(manages('organization'), {
    waits: { for: ['owner'], shows: 'member_kept' },
    summary: 'Keep an owner whose removal waits',
    params: byId,
    response: done,
  }),
  'POST /exports': userCall(manages('person'), {
    summary: "Say in the account's log that I downloaded a file of what its pages show",
    body: z.strictObject({ file: z.string().min(1).max(200) }),
    response: z.object({ logged: z.literal(true) }),
  }),
  'POST /organization/leave': userCall(manages('person'), {
    summary: 'Leave the organization I act in; its last owner cannot',
    response: z.object({ left: z.literal(true) }),
  }),
  'POST /organization/invitations': userCall(manages('organization'), {
    sudo: true,
    waits: { for: ['owner'], shows: 'invitation' },
    summary: 'Invite by mail, or by a link that is shown once; requires a recent sign-in',
    body: grant.extend({
      email: z.email().max(254).nullable().default(null),
      /** Language of the mail. */
      language: z.enum(LANGUAGES).default('en'),
    }),
    response: z.object({ organization, link: z.string().nullable() }),
  }),
  'DELETE /organization/invitations/{id}': userCall(manages('organization'), {
    summary: 'Take an invitation back',
    params: z.strictObject({ id: z.string().regex(/^orginv_[0-9a-f]{32}$/) }),
    response: done,
  }),
  'GET /organization/invitation': userCall(reads('person'), {
    summary: 'Get what the link of an invitation opens; pages before 1.1 ask so',
    query: token,
    response: shownInvitation,
  }),
  'POST /organization/invitation': visitorCall({
    summary: 'Get what the link of an invitation opens: its secret stands in no address',
    body: token,
    response: shownInvitation,
  }),
  'POST /organization/join': userCall(manages('person'), {
    summary: 'Accept an invitation by its link',
    body: token,
    response: z.object({ id: z.string(), name: z.string() }),
  }),
};
