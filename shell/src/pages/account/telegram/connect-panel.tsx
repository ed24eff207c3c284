import type { Answer } from '@pool/shared';
import { ApiError } from '@pool/shared';
import { useTranslation, type Language } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { useApi } from '@pool/shared/remote';
import { Button, CopyField, Notice, Panel, QrCode, useFormat, useNow } from '@pool/shared/ui/core';
import { ActionButton, Problem, useFormMutation } from '@pool/shared/ui/form';
import { useState } from 'react';
import common from '@pool/shared/ui/common.module.css';
import styles from '../form.module.css';
import { chatName, connectionsQuery, linkStateQuery } from './queries';

/** Links a chat: a link to open in Telegram, then a question whether the chat that opened it is the right one. */
export function ConnectPanel() {
  const { t, i18n } = useTranslation();
  const [link, setLink] = useState<Answer<'POST /telegram/'> | null>(null);
  const make = useFormMutation({
    send: (api) => api('POST /telegram/', { body: { language: i18n.resolvedLanguage as Language } }),
    onDone: setLink,
  });
  return (
    <Panel title={t('account.telegram.connect')}>
      {link ? (
        <Waiting key={link.token} link={link} onDone={() => setLink(null)} onAgain={() => make.mutate()} />
      ) : (
        <div className={common.stack}>
          <p className={common.hint}>{t('account.telegram.what')}</p>
          <div className={common.buttons}>
            <Button type="primary" loading={make.isPending} onClick={() => make.mutate()}>
              {t('account.telegram.connectButton')}
            </Button>
          </div>
          <Problem error={make.error} />
        </div>
      )}
    </Panel>
  );
}

type WaitingProps = { link: Answer<'POST /telegram/'>; onDone(): void; onAgain(): void };

function Waiting({ link, onDone, onAgain }: WaitingProps) {
  const { t } = useTranslation();
  const { duration } = useFormat();
  const now = useNow();
  const api = useApi();
  const state = useQuery(linkStateQuery(api, link.token));
  const left = Math.max(0, Date.parse(link.expiresAt) / 1000 - now);
  const over = left === 0 || (state.error instanceof ApiError && state.error.status === 410);
  if (over)
    return (
      <div className={common.stack}>
        <Notice tone="warn" state="review">
          {t('ui.error.telegram_link_expired')}
        </Notice>
        <div className={common.buttons}>
          <Button onClick={onAgain}>{t('account.telegram.again')}</Button>
        </div>
      </div>
    );
  if (state.data?.state === 'started')
    return <Confirm token={link.token} username={state.data.username} onDone={onDone} />;
  return (
    <div className={styles.withQr}>
      <div className={common.stack}>
        <p>{t('account.telegram.open')}</p>
        <CopyField size="large" label={t('account.telegram.link')} value={link.deepLink} />
        <div className={common.buttons}>
          <Button type="primary" href={link.deepLink} target="_blank" rel="noreferrer">
            {t('account.telegram.openButton')}
          </Button>
          <Button onClick={onDone}>{t('account.cancel')}</Button>
        </div>
        <p role="status" className={common.hint}>
          {t('account.telegram.waiting', { left: duration(left) })}
        </p>
      </div>
      <QrCode value={link.deepLink} label={t('account.telegram.qr')} />
    </div>
  );
}

/** Somebody has opened the link: only the user knows whether it was them. */
function Confirm({ token, username, onDone }: { token: string; username: string | null; onDone(): void }) {
  const { t } = useTranslation();
  const reads = [connectionsQuery(useApi()).queryKey];
  const name = username === null ? t('account.telegram.noName') : chatName(username);
  return (
    <div className={common.stack}>
      <Notice tone="info" state="review">
        <p role="status">{t('account.telegram.confirm', { name })}</p>
      </Notice>
      <div className={common.buttons}>
        <ActionButton
          type="primary"
          text={t('account.telegram.yes')}
          send={(api) => api('POST /telegram/auth', { body: { token } })}
          said={() => t('account.telegram.linked')}
          reads={reads}
          onDone={onDone}
        />
        <Button onClick={onDone}>{t('account.telegram.no')}</Button>
      </div>
    </div>
  );
}
