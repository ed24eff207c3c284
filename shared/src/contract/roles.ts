/** What the members of an organization may do: the one table that the server enforces and the pages show. */
import type { OWN_SUBJECTS } from './subjects';

export const ORGANIZATION_ROLES = ['owner', 'manager', 'technician', 'accountant', 'viewer'] as const;
export type OrganizationRole = (typeof ORGANIZATION_ROLES)[number];
type OwnSubject = (typeof OWN_SUBJECTS)[number];
type Rights = Partial<Record<OwnSubject, 'read' | 'manage'>>;

/** Each person's own, whatever the role: sign-in, notifications and how they are sent, and the settings of the pages. */
const OWN: Rights = { person: 'manage', settings: 'manage', organization: 'read' };

/** A subject that is not named is neither shown nor answered. */
const RIGHTS: Record<OrganizationRole, Rights> = {
  owner: {
    ...OWN,
    dashboard: 'manage',
    workers: 'manage',
    pools: 'manage',
    payments: 'manage',
    wallet: 'manage',
    referral: 'manage',
    account: 'manage',
    access: 'manage',
    webhooks: 'manage',
    log: 'manage',
    organization: 'manage',
  },
  manager: {
    ...OWN,
    dashboard: 'manage',
    workers: 'manage',
    pools: 'manage',
    payments: 'read',
    wallet: 'read',
    account: 'manage',
  },
  technician: { ...OWN, dashboard: 'read', workers: 'manage', pools: 'read', account: 'read' },
  accountant: {
    ...OWN,
    dashboard: 'read',
    workers: 'read',
    payments: 'manage',
    wallet: 'read',
    referral: 'read',
    webhooks: 'manage',
    account: 'read',
  },
  viewer: { ...OWN, dashboard: 'read', workers: 'read', account: 'read' },
};

/** What a viewer who may see money reads besides. */
const MONEY: Rights = { payments: 'read', wallet: 'read' };

/** What concerns all sub-accounts at once: a role that is limited to some does not have it. */
const WHOLE = ['access', 'webhooks', 'referral', 'log'] as const;

export type MemberFacts = { role: OrganizationRole; money: boolean; limited: boolean };

/** `money`: of a viewer. `limited`: to some sub-accounts; pools and the account are the whole farm's. */
export function rightsOf({ role, money, limited }: MemberFacts): Rights {
  const rights = role === 'viewer' && money ? { ...RIGHTS.viewer, ...MONEY } : { ...RIGHTS[role] };
  if (!limited) return rights;
  for (const subject of WHOLE) delete rights[subject];
  return { ...rights, account: 'read', ...(rights.pools ? { pools: 'read' } : {}) };
}
