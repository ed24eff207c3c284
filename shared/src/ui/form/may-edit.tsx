import { useAbility } from '@casl/react';
import type { ReactNode } from 'react';
import type { PoolAbility } from '../../contract/ability';

/** A watcher, and an admin who looks at a user's account, only read it. */
export const useMayEdit = (): boolean => useAbility<PoolAbility>().can('manage', 'account');

export const IfMayEdit = ({ children }: { children: ReactNode }) => (useMayEdit() ? children : null);
