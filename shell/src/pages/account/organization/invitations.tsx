import type { Language } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Button, Empty, useFormat } from '@pool/shared/ui/core';
import { ActionButton, pageHeading, TextField, useFormMutation } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import { DataTable, idOf, type DataColumn } from '@pool/shared/ui/table';
import { useMemo, useState } from 'react';
import { useAuthContext } from '../../../auth/auth-provider';
import common from '@pool/shared/ui/common.module.css';
import { InvitationLink, ListSection } from '../parts';
import { GrantFields, ROLES } from './grant-dialog';
import { GrantText } from './grant-text';
import { ORGANIZATION, type Grant, type Invitation, type Organization } from './queries';

/** Invitations that are open, and how to make one. */
export function Invitations({ organization: { invitations, members } }: { organization: Organization }) {
  const { t } = useTranslation();
  const isAlone = members.length === 1 && invitations.length === 0;
  const [inviting, setInviting] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const columns = useColumns();
  const invite = (
    <Button type="primary" onClick={() => setInviting(true)}>
      {t('account.org.invite')}
    </Button>
  );
  return (
    <ListSection title={t('account.org.invitations')} extra={!isAlone && invite}>
      <DataTable
        label={t('account.org.invitations')}
        columns={columns}
        rowKey={idOf}
        rows={invitations}
        empty={
          <Empty title={t(isAlone ? 'account.org.alone' : 'account.org.noInvitations')} action={isAlone && invite}>
            {t('account.org.noInvitationsHint')}
          </Empty>
        }
      />
      {inviting && (
        <InviteDialog
          onMade={(made) => {
            setInviting(false);
            setLink(made);
          }}
          onClose={() => setInviting(false)}
        />
      )}
      {link !== null && <InvitationLink link={link} onClose={() => setLink(null)} />}
    </ListSection>
  );
}

function Receiver({ row: { email } }: { row: Invitation }) {
  const { t } = useTranslation();
  return email === null ? <>{t('account.org.byLink')}</> : <bdi className={common.strong}>{email}</bdi>;
}

function Until({ row: { expiresAt } }: { row: Invitation }) {
  const { t } = useTranslation();
  const { dayClock } = useFormat();
  return (
    <span className={common.quiet}>
      {t('account.org.until')} <time dateTime={expiresAt}>{dayClock(expiresAt)}</time>
    </span>
  );
}

function Revoke({ row: { id, email } }: { row: Invitation }) {
  const { t } = useTranslation();
  return (
    <ActionButton
      size="small"
      text={t('account.org.revoke')}
      of={email ?? t('account.org.byLink')}
      send={(api) => api('DELETE /organization/invitations/{id}', { params: { id } })}
      said={() => t('account.org.revoked')}
      reads={[ORGANIZATION]}
      focus={pageHeading}
    />
  );
}

function useColumns(): DataColumn<Invitation>[] {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        key: 'receiver',
        title: t('account.org.receiver'),
        width: 200,
        names: true,
        wraps: true,
        render: (row) => <Receiver row={row} />,
      },
      {
        key: 'role',
        title: t('account.org.role'),
        width: 220,
        wraps: true,
        render: (row) => <GrantText grant={row} />,
      },
      {
        key: 'until',
        title: t('account.org.valid'),
        width: 160,
        drop: 1,
        wraps: true,
        render: (row) => <Until row={row} />,
      },
      { key: 'actions', title: t('account.actions'), width: 120, render: (row) => <Revoke row={row} /> },
    ],
    [t],
  );
}

/** Dialog for a new invitation: by mail where the pool sends mail and an address is given, else by a link. */
function InviteDialog({ onMade, onClose }: { onMade(link: string | null): void; onClose(): void }) {
  const { t, i18n } = useTranslation();
  const { sendsMail } = useAuthContext().config;
  const [email, setEmail] = useState('');
  const [grant, setGrant] = useState<Grant>({ role: 'technician', money: false, accounts: null });
  const invite = useFormMutation({
    send: (api) =>
      api('POST /organization/invitations', {
        body: { ...grant, email: email.trim() || null, language: i18n.resolvedLanguage as Language },
      }),
    said: email.trim() ? () => t('account.org.invited', { email: email.trim() }) : undefined,
    reads: [ORGANIZATION],
    onDone: ({ link }) => onMade(link),
  });
  return (
    <FormDialog
      title={t('account.org.invite')}
      okText={t(email.trim() ? 'account.org.inviteButton' : 'account.org.linkButton')}
      change={invite}
      onSubmit={() => invite.mutate()}
      onCancel={onClose}
    >
      {sendsMail && (
        <TextField
          isCode
          type="email"
          label={t('account.email')}
          hint={t('account.org.emailHint')}
          value={email}
          onChange={setEmail}
        />
      )}
      <GrantFields
        grant={grant}
        roles={email.trim() ? ROLES : ROLES.filter((role) => role !== 'owner')}
        onChange={setGrant}
      />
    </FormDialog>
  );
}
