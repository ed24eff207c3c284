import { useTranslation } from '@pool/shared/i18n';
import type { OrganizationRole } from '@pool/shared/roles';

export type Role = { role: OrganizationRole; money: boolean };

/** Key of a role's name, a text of the namespace `roles`. */
export const roleKey = ({ role, money }: Role): string =>
  role === 'viewer' && money ? 'account.org.role.viewerMoney' : `account.org.role.${role}`;

export default function RoleName({ of }: { of: Role }) {
  return useTranslation().t(roleKey(of));
}
