import { useTranslation } from '@pool/shared/i18n';
import { Panel, QueryState, Skeleton, useFormat, useNow } from '@pool/shared/ui/core';
import { useQueryClient } from '@pool/shared/query';
import { useAbility, useServiceQuery } from '@pool/shared/remote';
import { ActionButton, IfMayEdit } from '@pool/shared/ui/form';
import { ClerkForm } from '../../../auth/clerk-form';
import { PasswordForm } from './password-form';
import { Sessions } from './sessions';
import styles from './security-tab.module.css';
import common from '@pool/shared/ui/common.module.css';

const KEY = ['upstreams', 'hold'];

/** Whether changes of where hashpower goes wait before they take effect. */
function PoolHold() {
  const { t } = useTranslation();
  const { moment, duration } = useFormat();
  const now = useNow();
  const queryClient = useQueryClient();
  const query = useServiceQuery(({ api }) => ({
    queryKey: KEY,
    queryFn: ({ signal }) => api('GET /poolHold', { signal }),
  }));
  const { data: hold } = query;
  const ending = hold?.on ? hold.offAt : null;
  return (
    <Panel stacked title={t('account.poolHold')}>
      <QueryState query={query}>
        <Skeleton height={72} />
      </QueryState>
      {hold && (
        <>
          <p className={common.hint}>{t('account.poolHold.what', { hours: hold.hours })}</p>
          {ending && (
            <p>
              {t('account.poolHold.offAt', {
                until: moment(ending),
                left: duration(Math.max(0, Date.parse(ending) / 1000 - now), 2),
              })}
            </p>
          )}
          <IfMayEdit of="pools">
            <div className={common.buttons}>
              <ActionButton
                text={t(`account.poolHold.${ending ? 'keep' : hold.on ? 'off' : 'on'}`)}
                send={(api) => api('PUT /poolHold', { body: { on: !hold.on || ending !== null } })}
                said={({ offAt }) => t(offAt ? 'account.poolHold.saidOff' : 'account.poolHold.saidOn')}
                onDone={(next) => queryClient.setQueryData(KEY, next)}
              />
            </div>
          </IfMayEdit>
        </>
      )}
    </Panel>
  );
}

/** Two-step sign-in with Clerk's own form, the password, the browsers that are signed in, and the hold for changes of upstream pools. */
export default function SecurityTab() {
  const { t } = useTranslation();
  const seesPools = useAbility().can('read', 'pools');
  return (
    <>
      <Panel stacked title={t('account.twoStep')}>
        <p className={common.hint}>{t('account.twoStep.what')}</p>
        <ClerkForm form="security" className={styles.slot} />
      </Panel>
      <PasswordForm />
      <Sessions />
      {seesPools && <PoolHold />}
    </>
  );
}
