import type { PoolAbility } from '@pool/shared';
import { useAbility } from '@pool/shared/remote';
import type { ReactNode } from 'react';

/** An admin who looks at a user's account only reads it. */
export const useMayEdit = (): boolean => useAbility<PoolAbility>().can('manage', 'account');

export const IfMayEdit = ({ children }: { children: ReactNode }) => (useMayEdit() ? children : null);
