import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { useApi } from '@pool/shared/remote';
import { Button, Panel, QueryState, SkeletonRows, useConfirm } from '@pool/shared/ui/core';
import { IfMayEdit, Problem, TextField, useFormMutation } from '@pool/shared/ui/form';
import { useState } from 'react';
import { useActIn } from '../../../auth/use-act-in';
import styles from '../form.module.css';
import { ActionButton } from '../parts';
import { Invitations } from './invitations';
import { Members } from './members';
import { Requests, SecondOwner } from './second-owner';
import { organizationQuery, type Organization } from './queries';

/** `/account/organization`: the people of a farm, or how to let others in. */
export default function OrganizationTab() {
  const { t } = useTranslation();
  const query = useQuery(organizationQuery(useApi()));
  return (
    <>
      {query.data === undefined && (
        <Panel title={t('account.tab.organization')}>
          <QueryState query={query}>
            <SkeletonRows rows={4} height={36} />
          </QueryState>
        </Panel>
      )}
      {query.data === null && <Create />}
      {query.data && (
        <>
          <Requests requests={query.data.requests} />
          <Members organization={query.data} />
          <IfMayEdit of="organization">
            <Invitations organization={query.data} />
            <SecondOwner organization={query.data} />
          </IfMayEdit>
          <Leave organization={query.data} />
        </>
      )}
    </>
  );
}

/** Makes an organization of the account, and goes on in it. */
function Create() {
  const { t } = useTranslation();
  const actIn = useActIn();
  const confirm = useConfirm();
  const [name, setName] = useState('');
  const create = useFormMutation({
    send: (api) => api('POST /organization', { body: { name: name.trim() } }),
    onDone: ({ id }) => actIn(id),
  });
  return (
    <Panel title={t('account.org.create')}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          confirm({
            title: t('account.org.createTitle'),
            content: t('account.org.createText'),
            okText: t('account.org.createButton'),
            onOk: () => create.mutate(),
          });
        }}
      >
        <p className={styles.hint}>{t('account.org.what')}</p>
        <IfMayEdit of="organization">
          <TextField
            label={t('account.org.name')}
            hint={t('account.org.nameHint')}
            autoComplete="organization"
            maxLength={100}
            value={name}
            onChange={(text) => {
              setName(text);
              create.reset();
            }}
          />
          <Problem error={create.error} />
          <div className={styles.actions}>
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
      </form>
    </Panel>
  );
}

function Leave({ organization: { name } }: { organization: Organization }) {
  const { t } = useTranslation();
  const actIn = useActIn();
  const content = t('account.org.leaveWhat');
  return (
    <Panel title={t('account.org.leave')}>
      <div className={styles.stack}>
        <p className={styles.hint}>{content}</p>
        <div className={styles.actions}>
          <ActionButton
            danger
            text={t('account.org.leave')}
            question={{ title: t('account.org.leaveTitle', { name }), content }}
            send={(api) => api('POST /organization/leave')}
            onDone={() => actIn(null)}
          />
        </div>
      </div>
    </Panel>
  );
}
