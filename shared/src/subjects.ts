/** What rules are about (ability.ts) and remotes may ask for in `requires` (remote-schema.ts). */
export const ACTIONS = ['read', 'manage'] as const;
export const SUBJECTS = [
  'dashboard',
  'payments',
  'workers',
  'referral',
  'account',
  'settings',
  'sub-account-list',
  'algorithm-list',
  'admin',
  'acl-page',
  'all',
] as const;
