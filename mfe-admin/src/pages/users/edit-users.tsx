import type { Answer, CallOptions } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { EditDialog } from '../../parts/edit/edit-dialog';
import { numberOf, type EditField } from '../../parts/edit/fields';

type EditUser = Answer<'GET /admin/editUsers'>['rows'][number];
type UserUpdate = CallOptions<'PUT /bulkUpdateUsers'>['body']['updates'][number];

/** `fee` empty: the pool's. */
function updateOf({ id, version }: EditUser, { role, legacy, state, fee }: Record<string, string>): UserUpdate {
  return {
    id,
    version,
    ...(role === undefined ? {} : { role: role as UserUpdate['role'] }),
    ...(legacy === undefined ? {} : { isLegacyUser: legacy === 'yes' }),
    ...(state === undefined ? {} : { disabled: state === 'disabled' }),
    ...(fee === undefined ? {} : { feePercent: fee === '' ? null : numberOf(fee) }),
  };
}

function useFields(): EditField<EditUser>[] {
  const { t } = useTranslation();
  const choice = (
    key: string,
    text: (user: EditUser) => string,
    choices: readonly { value: string; label: string }[],
  ): EditField<EditUser> => ({
    key,
    title: t(`admin.users.col.${key}`),
    text,
    choices,
    isValid: (value) => choices.some((each) => each.value === value),
    rule: t('admin.edit.rule.choice'),
  });
  return [
    choice('role', ({ role }) => role, [
      { value: 'miner', label: t('admin.users.role.miner') },
      { value: 'admin', label: t('admin.users.role.admin') },
    ]),
    choice('legacy', ({ isLegacyUser }) => (isLegacyUser ? 'yes' : 'no'), [
      { value: 'no', label: t('admin.users.no') },
      { value: 'yes', label: t('admin.users.yes') },
    ]),
    choice('state', ({ disabled }) => (disabled ? 'disabled' : 'enabled'), [
      { value: 'enabled', label: t('admin.users.enabled') },
      { value: 'disabled', label: t('ui.state.disabled') },
    ]),
    {
      key: 'fee',
      title: t('admin.users.fee-percent'),
      text: ({ feePercent }) => (feePercent === null ? '' : String(feePercent)),
      isValid: (text) => text === '' || (numberOf(text) ?? 101) <= 100,
      rule: t('admin.users.fee-rule'),
    },
  ];
}

export function EditUsers({ ids, onClose }: { ids: readonly number[]; onClose(): void }) {
  const { t } = useTranslation();
  return (
    <EditDialog
      title={t('admin.users.edit', { n: ids.length })}
      kind="users"
      ids={ids}
      read={(api, query, signal) => api('GET /admin/editUsers', { query, signal })}
      save={(api, updates: UserUpdate[]) => api('PUT /bulkUpdateUsers', { body: { updates } })}
      updateOf={updateOf}
      fields={useFields()}
      nameOf={({ userName }) => userName}
      hint={t('admin.users.edit-hint')}
      onClose={onClose}
    />
  );
}
