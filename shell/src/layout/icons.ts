import { CircleUser, Cpu, Gift, LayoutDashboard, Users, Wallet, type LucideIcon } from '@pool/shared/ui/core';

/** Names a remote's manifest may use for its links. */
export const NAV_ICONS: Record<string, LucideIcon> = {
  dashboard: LayoutDashboard,
  payments: Wallet,
  workers: Cpu,
  referral: Gift,
  account: CircleUser,
  users: Users,
};
