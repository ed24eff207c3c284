/** A user's own data: the user may read and edit it, a viewer of the user's pages may read it. */
export const OWN_SUBJECTS = [
  'dashboard',
  'payments',
  'workers',
  'pools',
  'referral',
  'account',
  'wallet',
  'access',
  'webhooks',
  'person',
  'log',
  'organization',
  'settings',
] as const;

/** Actions and subjects of rules (ability.ts), which remotes name in `requires` (remote-schema.ts). */
export const ACTIONS = ['read', 'manage'] as const;
export const SUBJECTS = [
  ...OWN_SUBJECTS,
  'sub-account-list',
  'algorithm-list',
  'telegram',
  'admin',
  'acl-page',
  'all',
] as const;
