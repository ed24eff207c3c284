import { useTranslation } from '@pool/shared/i18n';
import { Button, Chip, useFormat } from '@pool/shared/ui/core';
import { ActionButton, pageHeading, useMayEdit } from '@pool/shared/ui/form';
import { DataTable, idOf, type DataColumn } from '@pool/shared/ui/table';
import { useMemo, useState } from 'react';
import common from '@pool/shared/ui/common.module.css';
import styles from '../form.module.css';
import { ListSection } from '../parts';
import { GrantDialog } from './grant-dialog';
import { GrantText } from './grant-text';
import { ORGANIZATION, type Member, type Organization } from './queries';

export function Members({ organization }: { organization: Organization }) {
  const { t } = useTranslation();
  const [edited, setEdited] = useState<Member | null>(null);
  const columns = useColumns(setEdited);
  return (
    <ListSection
      title={organization.name}
      extra={<span className={common.quiet}>{t('account.org.people', { count: organization.members.length })}</span>}
    >
      <DataTable label={t('account.org.members')} columns={columns} rowKey={idOf} rows={organization.members} />
      {edited && <GrantDialog member={edited} onClose={() => setEdited(null)} />}
    </ListSection>
  );
}

function Name({ row: { userName, email, own } }: { row: Member }) {
  const { t } = useTranslation();
  return (
    <span>
      <bdi className={common.strong}>{userName}</bdi> {own && <Chip>{t('account.org.you')}</Chip>}
      {email && <bdi className={`${styles.block} ${common.quiet}`}>{email}</bdi>}
    </span>
  );
}

function Rights({ row }: { row: Member }) {
  const { t } = useTranslation();
  const { dayClock } = useFormat();
  return (
    <span>
      <GrantText grant={row} />
      {row.removalAt && (
        <span className={`${styles.block} ${styles.wrong}`}>
          {t('account.org.removalAt', { time: dayClock(row.removalAt) })}
        </span>
      )}
    </span>
  );
}

function Since({ row: { since } }: { row: Member }) {
  const { day } = useFormat();
  return <time dateTime={since}>{day(since, true)}</time>;
}

function useColumns(onEdit: (row: Member) => void): DataColumn<Member>[] {
  const { t } = useTranslation();
  const mayEdit = useMayEdit('organization');
  return useMemo(() => {
    const title = (key: string) => ({ key, title: t(`account.org.${key}`) });
    const columns: DataColumn<Member>[] = [
      { ...title('person'), width: 200, names: true, wraps: true, render: (row) => <Name row={row} /> },
      { ...title('role'), width: 220, wraps: true, render: (row) => <Rights row={row} /> },
      { ...title('since'), width: 120, drop: 1, render: (row) => <Since row={row} /> },
      {
        key: 'actions',
        title: t('account.actions'),
        width: 200,
        wraps: true,
        render: (row) => <Actions row={row} onEdit={onEdit} />,
      },
    ];
    return mayEdit ? columns : columns.slice(0, -1);
  }, [t, mayEdit, onEdit]);
}

/** Change of the role and removal; nobody removes themselves, but leaves. */
function Actions({ row, onEdit }: { row: Member; onEdit(row: Member): void }) {
  const { t } = useTranslation();
  const { id, userName: name, role, own, removalAt } = row;
  const isOwner = role === 'owner';
  const change = { size: 'small', reads: [ORGANIZATION], focus: pageHeading } as const;
  return (
    <div className={common.buttons}>
      <Button size="small" aria-label={`${t('account.org.change')}: ${name}`} onClick={() => onEdit(row)}>
        {t('account.org.change')}
      </Button>
      {removalAt && !own && (
        <ActionButton
          {...change}
          text={t('account.org.keep')}
          send={(api) => api('DELETE /organization/members/{id}/removal', { params: { id } })}
          said={() => t('account.org.kept', { name })}
        />
      )}
      {!removalAt && !own && (
        <ActionButton
          {...change}
          type="text"
          text={t('account.org.remove')}
          of={name}
          question={{
            title: t('account.org.removeTitle', { name }),
            content: t(isOwner ? 'account.org.removeOwnerText' : 'account.org.removeText'),
          }}
          send={(api) => api('DELETE /organization/members/{id}', { params: { id } })}
          said={({ organization }) =>
            t(
              organization.members.some((each) => each.id === id) ? 'account.org.removalBegun' : 'account.org.removed',
              {
                name,
              },
            )
          }
        />
      )}
    </div>
  );
}
