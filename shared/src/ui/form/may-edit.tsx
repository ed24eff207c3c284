import { useAbility } from '@casl/react';
import type { ReactNode } from 'react';
import type { PoolAbility, Subject } from '../../contract/ability';

/** A watcher, an admin who looks at a user's account, and some members of an organization only read it. */
export const useMayEdit = (subject: Subject = 'account'): boolean => useAbility<PoolAbility>().can('manage', subject);

type Props = { of?: Subject; children: ReactNode };
export const IfMayEdit = ({ of, children }: Props) => (useMayEdit(of) ? children : null);
