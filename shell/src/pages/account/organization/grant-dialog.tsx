import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { subAccountsQuery, useApi, useSession } from '@pool/shared/remote';
import { Checkbox, SelectField, useFormMutation } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import { Ticks } from '../parts';
import { ORGANIZATION, type Grant, type Member, type Role } from './queries';

export const ROLES: readonly Role[] = ['owner', 'manager', 'technician', 'accountant', 'viewer'];

/** Role, and for all but owners the sub-accounts it is limited to. */
export function GrantFields({
  grant,
  roles = ROLES,
  onChange,
}: {
  grant: Grant;
  roles?: readonly Role[];
  onChange(grant: Grant): void;
}) {
  const { t } = useTranslation();
  const { data } = useQuery(subAccountsQuery(useApi(), useSession().userId));
  const { role, money, accounts } = grant;
  const names = (data?.subAccounts ?? []).map(({ name }) => name);
  return (
    <>
      <SelectField
        label={t('account.org.role')}
        hint={t(`account.org.can.${role}`)}
        value={role}
        onChange={(next: Role) =>
          onChange({ role: next, money: next === 'viewer' && money, accounts: next === 'owner' ? null : accounts })
        }
        options={roles.map((each) => ({ value: each, label: t(`account.org.role.${each}`) }))}
      />
      {role === 'viewer' && (
        <Checkbox checked={money} onChange={({ target }) => onChange({ ...grant, money: target.checked })}>
          {t('account.org.money')}
        </Checkbox>
      )}
      {role !== 'owner' && names.length > 1 && (
        <Ticks
          label={t('account.org.accounts')}
          options={names}
          chosen={accounts ?? []}
          nameOf={(name) => <bdi>{name}</bdi>}
          onChange={(next) => onChange({ ...grant, accounts: next.length > 0 ? next : null })}
        />
      )}
    </>
  );
}

/** Changes what a member may do. */
export function GrantDialog({ member, onClose }: { member: Member; onClose(): void }) {
  const { t } = useTranslation();
  const { id, userName: name, role, money, accounts } = member;
  const [grant, setGrant] = useState<Grant>({ role, money, accounts });
  const change = useFormMutation({
    send: (api) => api('PUT /organization/members/{id}', { params: { id }, body: grant }),
    said: () => t('account.org.changed', { name }),
    reads: [ORGANIZATION],
    onDone: onClose,
  });
  return (
    <FormDialog
      title={t('account.org.changeTitle', { name })}
      okText={t('account.org.change')}
      change={change}
      onSubmit={() => change.mutate()}
      onCancel={onClose}
    >
      <GrantFields grant={grant} onChange={setGrant} />
    </FormDialog>
  );
}
