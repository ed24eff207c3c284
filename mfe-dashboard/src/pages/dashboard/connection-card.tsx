import { minerSettings, minerUri } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { PageLink, useConnectionInfo, useServices } from '@pool/shared/remote';
import {
  Button,
  CopyField,
  Panel,
  QrCode,
  QrCodeIcon,
  QueryState,
  ShareButton,
  Skeleton,
  usePhone,
} from '@pool/shared/ui/core';
import { useState } from 'react';
import { WorkerName } from '../worker-name';
import styles from './connection-card.module.css';

export function ConnectionCard() {
  const { t } = useTranslation();
  const { algorithm } = useServices().session;
  const info = useConnectionInfo();
  const [qr, setQr] = useState(false);
  const phone = usePhone();
  const connection = info.data?.find((entry) => entry.algorithm === algorithm);
  const settings = connection && minerSettings(connection);
  return (
    <Panel
      className={styles.card}
      title={t('dashboard.connection')}
      extra={
        settings && (
          <>
            <PageLink page="workers.connection">{t('dashboard.connection.all')}</PageLink>
            {phone ? (
              <ShareButton icon text={minerUri(settings)} />
            ) : (
              <Button
                type="text"
                className={styles.toggle}
                aria-label={t('dashboard.connection.qr')}
                aria-expanded={qr}
                title={t('dashboard.connection.qr')}
                onClick={() => setQr(!qr)}
                icon={<QrCodeIcon />}
              />
            )}
          </>
        )
      }
    >
      <QueryState query={info} className={styles.fields}>
        <Skeleton height={36} />
        <Skeleton height={36} />
      </QueryState>
      {settings && (
        <div className={styles.fields}>
          <CopyField label={t('dashboard.connection.url')} value={settings.url} />
          {settings.tlsUrl !== null && <CopyField label={t('dashboard.connection.urlTls')} value={settings.tlsUrl} />}
          <CopyField
            label={t('dashboard.connection.worker')}
            value={settings.user}
            display={<WorkerName user={settings.user} />}
          />
          {connection?.passwordSet && (
            <p>
              {t('dashboard.connection.password')}: {t('dashboard.connection.passwordSet')}
            </p>
          )}
          {/* Nobody scans a code from their own screen. */}
          {qr && !phone && (
            <div className={styles.qr}>
              <QrCode value={minerUri(settings)} label={t('dashboard.firstRun.scan')} />
            </div>
          )}
        </div>
      )}
    </Panel>
  );
}
