import { useTranslation } from '@pool/shared/i18n';
import { Button, Chip, Panel, useFormat } from '@pool/shared/ui/core';
import { IfMayEdit, pageHeading, Problem, useFormMutation } from '@pool/shared/ui/form';
import { useState } from 'react';
import styles from '../form.module.css';
import { GrantText } from './grant-text';
import { LinkOnce } from './link-once';
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
      {link !== null && <LinkOnce link={link} onClose={() => setLink(null)} />}
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
  const confirm = useFormMutation({
    send: (api) => api('POST /organization/requests/{id}', { params: { id } }),
    said: () => t('account.org.confirmed'),
    reads: [ORGANIZATION],
    onDone: ({ link }) => onLink(link),
    focus: pageHeading,
  });
  const decline = useFormMutation({
    send: (api) => api('DELETE /organization/requests/{id}', { params: { id } }),
    said: () => t('account.org.declined'),
    reads: [ORGANIZATION],
    focus: pageHeading,
  });
  const named = (text: string) => ({ children: text, 'aria-label': `${text}: ${t(`account.org.asks.${kind}`)}` });
  return (
    <>
      <div className={styles.actions}>
        {!own && (
          <IfMayEdit of="organization">
            <Button
              type="primary"
              loading={confirm.isPending}
              onClick={() => confirm.mutate()}
              {...named(t('account.org.confirm'))}
            />
          </IfMayEdit>
        )}
        <Button
          loading={decline.isPending}
          onClick={() => decline.mutate()}
          {...named(t(own ? 'account.org.revoke' : 'account.org.decline'))}
        />
      </div>
      <Problem error={confirm.error ?? decline.error} />
    </>
  );
}

/** Whether owners confirm one another's changes; it takes two of them. */
export function SecondOwner({ organization: { secondOwner, members } }: { organization: Organization }) {
  const { t } = useTranslation();
  const change = useFormMutation({
    send: (api) => api('PUT /organization/secondOwner', { body: { wanted: !secondOwner } }),
    said: () => t(secondOwner ? 'account.org.secondSaidOff' : 'account.org.secondSaidOn'),
    reads: [ORGANIZATION],
  });
  const alone = members.filter(({ role }) => role === 'owner').length < 2;
  return (
    <Panel title={t('account.org.second')}>
      <div className={styles.stack}>
        <p className={styles.hint}>{t('account.org.secondWhat')}</p>
        {alone && <p className={styles.hint}>{t('account.org.secondAlone')}</p>}
        <Problem error={change.error} />
        <div className={styles.actions}>
          <Button disabled={alone && !secondOwner} loading={change.isPending} onClick={() => change.mutate()}>
            {t(secondOwner ? 'account.org.secondOff' : 'account.org.secondOn')}
          </Button>
        </div>
      </div>
    </Panel>
  );
}
