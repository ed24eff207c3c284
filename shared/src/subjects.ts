/** A user's own data: the user reads and edits it, whoever looks at their pages reads it. `npm run new:remote` adds to it. */
export const OWN_SUBJECTS = ['dashboard', 'payments', 'workers', 'referral', 'account', 'settings'] as const;

/** What rules are about (ability.ts) and remotes may ask for in `requires` (remote-schema.ts). */
export const ACTIONS = ['read', 'manage'] as const;
export const SUBJECTS = [...OWN_SUBJECTS, 'sub-account-list', 'algorithm-list', 'admin', 'acl-page', 'all'] as const;
