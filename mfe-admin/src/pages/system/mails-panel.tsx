import { useTranslation } from '@pool/shared/i18n';
import { Panel, QueryError, useFormat } from '@pool/shared/ui/core';
import common from '@pool/shared/ui/common.module.css';
import { INTERVAL_MS, useRead } from '../../api/reads';
import parts from '../../parts/parts.module.css';

/** What a pool without a mail server would have mailed. */
export function MailsPanel() {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const mails = useRead(['admin', 'mails'], (api, signal) => api('GET /admin/mails', { signal }), {
    refetchInterval: INTERVAL_MS,
  });
  if (mails.data === null) return null;
  return (
    <Panel stacked title={t('admin.system.mails')}>
      <p className={common.quiet}>{t('admin.system.mails-help')}</p>
      <QueryError query={mails} />
      {mails.data?.length === 0 && <p>{t('admin.system.mails-none')}</p>}
      {mails.data?.map(({ at, to, subject, text }) => (
        <details key={`${at} ${to}`}>
          <summary>
            <bdi>{subject}</bdi>{' '}
            <span className={common.quiet}>
              · {t('admin.system.mails-to', { to })} · <time dateTime={at}>{moment(at)}</time>
            </span>
          </summary>
          <p className={parts.letter} dir="auto">
            {text.trim()}
          </p>
        </details>
      ))}
    </Panel>
  );
}
