import type { NavIcon } from '@pool/shared';
import { CircleUser, Cpu, Gift, LayoutDashboard, Users, Wallet, type LucideIcon } from '@pool/shared/ui/core';

/** The icons a remote may name for its links (NAV_ICONS in shared/src/remote-schema.ts). */
export const NAV_ICONS: Record<NavIcon, LucideIcon> = {
  dashboard: LayoutDashboard,
  payments: Wallet,
  workers: Cpu,
  referral: Gift,
  account: CircleUser,
  users: Users,
};
