import { ALGORITHMS, minerSettings, minerUri, type Connection, type MinerWish } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Chip, CopyButton, CopyField, Notice, Panel, QrCode } from '@pool/shared/ui/core';
import { Select } from '@pool/shared/ui/form';
import styles from './algorithm-panel.module.css';
import { linesFor } from './miner-settings';

type Props = {
  connection: Connection;
  wish: MinerWish;
  software: string | undefined;
  onSoftware(software: string): void;
};

export function AlgorithmPanel({ connection, wish, software, onSoftware }: Props) {
  const { t } = useTranslation();
  const { label } = ALGORITHMS[connection.algorithm];
  const settings = minerSettings(connection, wish);
  const lines = linesFor(connection.algorithm);
  const line = lines.find((one) => one.software === software) ?? lines[0];
  const text = line?.text(settings) ?? '';
  return (
    <Panel title={label} extra={connection.dedicated && <Chip>{t('workers.connection.ownPort')}</Chip>}>
      {!connection.upstream && (
        <Notice tone="warn" state="down">
          {t('workers.connection.noUpstream', { algorithm: label })}
        </Notice>
      )}
      <div className={styles.two}>
        <div className={styles.fields}>
          <CopyField showLabel label={t('workers.connection.url')} value={settings.url} />
          {settings.tlsUrl !== null && (
            <CopyField showLabel label={t('workers.connection.tls')} value={settings.tlsUrl} />
          )}
          <CopyField showLabel label={t('workers.connection.worker')} value={settings.user} />
          <CopyField showLabel label={t('workers.connection.password')} value={settings.password} />
          <p className={styles.note}>
            {t(connection.passwordSet ? 'workers.connection.passwordSet' : 'workers.connection.passwordAny')}
            {connection.dedicated && <span> {t('workers.connection.ownPortHelp')}</span>}
          </p>
        </div>
        <div className={styles.scan}>
          <QrCode value={minerUri(settings)} label={t('workers.connection.qr', { algorithm: label })} size={148} />
          <p className={styles.note}>{t('workers.connection.scan')}</p>
        </div>
      </div>
      <div className={styles.ready}>
        <h3>{t('workers.connection.ready')}</h3>
        <Select<string>
          className={styles.software}
          aria-label={t('workers.connection.software', { algorithm: label })}
          value={line?.software}
          onChange={onSoftware}
          options={lines.map(({ software: name }) => ({ value: name, label: name }))}
        />
      </div>
      <div className={styles.line}>
        <pre dir="ltr" tabIndex={0} aria-label={t('workers.connection.line', { algorithm: label })}>
          {text}
        </pre>
        <CopyButton value={text} label={t('workers.connection.line', { algorithm: label })} />
      </div>
    </Panel>
  );
}
