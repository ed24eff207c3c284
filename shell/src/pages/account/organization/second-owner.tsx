import { useTranslation } from '@pool/shared/i18n';
import { Chip, Panel, useFormat } from '@pool/shared/ui/core';
import { IfMayEdit, pageHeading } from '@pool/shared/ui/form';
import { useState } from 'react';
import styles from '../form.module.css';
import { ActionButton, InvitationLink } from '../parts';
import { GrantText } from './grant-text';
import { ORGANIZATION, type Organization, type Request } from './queries';

/** Changes that wait for another owner; nothing while none does. */
export function Requests({ requests }: Pick<Organization, 'requests'>) {
  const { t } = useTranslation();
  const [link, setLink] = useState<string | null>(null);
  return (
    <>
      {requests.length > 0 && (
        <Panel title={t('account.org.requests')}>
          <ul className={styles.stack}>
            {requests.map((request) => (
              <li key={request.id} className={styles.card}>
                <About request={request} />
                <Decision request={request} onLink={setLink} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {link !== null && <InvitationLink link={link} onClose={() => setLink(null)} />}
    </>
  );
}

function About({ request: { kind, by, own, expiresAt, about } }: { request: Request }) {
  const { t } = useTranslation();
  const { dayClock } = useFormat();
  const { account, name, pools, url, user, address, enabled, priority, grant } = about;
  return (
    <div>
      <span className={styles.strong}>{t(`account.org.asks.${kind}`)}</span>{' '}
      {own && <Chip>{t('account.org.you')}</Chip>}
      {[account, name, ...(pools ?? []), url, user, address].map(
        (text, place) =>
          text !== undefined && (
            <bdi key={place} className={`${styles.block} ${styles.wraps}`}>
              {text}
            </bdi>
          ),
      )}
      <div>
        {enabled !== undefined && t(enabled ? 'account.org.asks.on' : 'account.org.asks.off')}
        {priority !== undefined && t('account.org.asks.place', { place: priority })}
        {grant && <GrantText grant={grant} />}
      </div>
      <span className={`${styles.block} ${styles.quiet}`}>
        {t('account.org.asksUntil', { name: by, time: dayClock(expiresAt) })}
      </span>
    </div>
  );
}

function Decision({ request: { id, kind, own }, onLink }: { request: Request; onLink(link: string | null): void }) {
  const { t } = useTranslation();
  const change = { of: t(`account.org.asks.${kind}`), reads: [ORGANIZATION], focus: pageHeading };
  return (
    <div className={styles.actions}>
      {!own && (
        <IfMayEdit of="organization">
          <ActionButton
            {...change}
            type="primary"
            text={t('account.org.confirm')}
            send={(api) => api('POST /organization/requests/{id}', { params: { id } })}
            said={() => t('account.org.confirmed')}
            onDone={({ link }) => onLink(link)}
          />
        </IfMayEdit>
      )}
      <ActionButton
        {...change}
        text={t(own ? 'account.org.revoke' : 'account.org.decline')}
        send={(api) => api('DELETE /organization/requests/{id}', { params: { id } })}
        said={() => t('account.org.declined')}
      />
    </div>
  );
}

/** Whether owners confirm one another's changes; it takes two of them. */
export function SecondOwner({ organization: { secondOwner, members } }: { organization: Organization }) {
  const { t } = useTranslation();
  const alone = members.filter(({ role }) => role === 'owner').length < 2;
  return (
    <Panel title={t('account.org.second')}>
      <div className={styles.stack}>
        <p className={styles.hint}>{t('account.org.secondWhat')}</p>
        {alone && <p className={styles.hint}>{t('account.org.secondAlone')}</p>}
        <div className={styles.actions}>
          <ActionButton
            disabled={alone && !secondOwner}
            text={t(secondOwner ? 'account.org.secondOff' : 'account.org.secondOn')}
            send={(api) => api('PUT /organization/secondOwner', { body: { wanted: !secondOwner } })}
            said={() => t(secondOwner ? 'account.org.secondSaidOff' : 'account.org.secondSaidOn')}
            reads={[ORGANIZATION]}
          />
        </div>
      </div>
    </Panel>
  );
}
