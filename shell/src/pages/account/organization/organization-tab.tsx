import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { subAccountsQuery, useApi, useSession } from '@pool/shared/remote';
import { accountPath } from '@pool/shared/shell-pages';
import { Button, Panel, QueryState, SkeletonRows, useConfirm, useFormat } from '@pool/shared/ui/core';
import { ActionButton, Form, IfMayEdit, Problem, TextField, useFormMutation } from '@pool/shared/ui/form';
import { useState } from 'react';
import { useActIn } from '../../../auth/use-act-in';
import common from '@pool/shared/ui/common.module.css';
import styles from '../form.module.css';
import { DeleteAccount } from '../profile/delete-account';
import { Invitations } from './invitations';
import { Members } from './members';
import { SecondOwner, Waiting } from './second-owner';
import { organizationQuery, type Organization } from './queries';

/** `/account/organization`: the people of a farm, or how to let others in. */
export default function OrganizationTab() {
  const { t } = useTranslation();
  const query = useQuery(organizationQuery(useApi()));
  const organization = query.data?.organization;
  return (
    <>
      {query.data === undefined && (
        <Panel title={t('account.tab.organization')}>
          <QueryState query={query}>
            <SkeletonRows rows={4} height={36} />
          </QueryState>
        </Panel>
      )}
      {query.data && organization === null && <Create ownName={query.data.ownName} />}
      {organization && (
        <>
          <Waiting />
          <Members organization={organization} />
          <IfMayEdit of="organization">
            <Invitations organization={organization} />
            <SecondOwner organization={organization} />
          </IfMayEdit>
          <Leave organization={organization} />
          <IfMayEdit of="organization">
            <DeleteAccount of="organization" />
          </IfMayEdit>
        </>
      )}
    </>
  );
}

/** What becomes of a thing. */
const Effect = ({ on, children }: { on: string; children: string }) => (
  <p className={common.hint}>
    <strong className={`${common.strong} ${styles.block}`}>{on}</strong>
    <span>{children}</span>
  </p>
);

/** Makes an organization of the account, and goes on where others are invited. `ownName`: of the account beside it. */
function Create({ ownName = '' }: { ownName?: string }) {
  const { t } = useTranslation();
  const { list } = useFormat();
  const { userId } = useSession();
  const accounts = useQuery(subAccountsQuery(useApi(), userId)).data?.subAccounts.map((account) => account.name) ?? [];
  const actIn = useActIn();
  const confirm = useConfirm();
  const [name, setName] = useState('');
  const create = useFormMutation({
    send: (api) => api('POST /organization', { body: { name: name.trim() } }),
    onDone: ({ id }) => actIn(id, accountPath('organization')),
  });
  return (
    <Panel title={t('account.org.create')}>
      <Form
        className={styles.form}
        change={create}
        onSubmit={() =>
          confirm({
            title: t('account.org.createTitle'),
            content: t('account.org.createText'),
            okText: t('account.org.createButton'),
            onOk: () => create.mutate(),
          })
        }
      >
        <p className={common.hint}>{t('account.org.what')}</p>
        <IfMayEdit of="organization">
          <TextField
            label={t('account.org.name')}
            hint={t('account.org.nameHint')}
            autoComplete="organization"
            maxLength={100}
            value={name}
            onChange={setName}
          />
          <Effect on={name.trim() || t('account.tab.organization')}>
            {t('account.org.takes', { accounts: list(accounts) })}
          </Effect>
          <Effect on={t('account.alone')}>{t('account.org.leaves', { name: ownName })}</Effect>
          <Effect on={t('account.org.signIn')}>{t('account.org.signInStays')}</Effect>
          <Problem error={create.error} />
          <div className={common.buttons}>
            <Button
              type="primary"
              htmlType="submit"
              disabled={name.trim() === ''}
              loading={create.isPending || create.isSuccess}
            >
              {t('account.org.createButton')}
            </Button>
          </div>
        </IfMayEdit>
      </Form>
    </Panel>
  );
}

function Leave({ organization: { name } }: { organization: Organization }) {
  const { t } = useTranslation();
  const actIn = useActIn();
  const content = t('account.org.leaveWhat');
  return (
    <Panel stacked title={t('account.org.leave')}>
      <p className={common.hint}>{content}</p>
      <div className={common.buttons}>
        <ActionButton
          danger
          text={t('account.org.leave')}
          question={{ title: t('account.org.leaveTitle', { name }), content }}
          send={(api) => api('POST /organization/leave')}
          onDone={() => actIn(null)}
        />
      </div>
    </Panel>
  );
}
