import { useTranslation } from '@pool/shared/i18n';
import { Link } from '@pool/shared/router';
import { Panel, StateGlyph, VisuallyHidden } from '@pool/shared/ui/core';
import type { Overview } from '../../api/system';
import parts from '../../parts/parts.module.css';
import styles from './setup-panel.module.css';

type Item = Overview['setup'][number]['item'];
/** Where an admin does it, the setting or command of the operator that does it, or both. */
const WAYS: Record<Item, { to?: string; command?: string }> = {
  upstream: { command: 'UPSTREAM_SHA256' },
  price: { to: '/admin/terms', command: 'PRICE_URL' },
  fee: { to: '/admin/terms', command: 'POOL_FEE_PERCENT' },
  host: { command: 'PUBLIC_HOST' },
  tls: { command: 'TRUSTED_PROXIES' },
  mail: { command: 'SMTP_URL' },
  database: { command: 'DATABASE_URL' },
  backup: { command: 'npm run backup' },
  key: { command: 'SECRETS_KEY_FILE' },
};

/** What the pool lacks before strangers mine at it for real money. Nothing once it lacks nothing. */
export function SetupPanel({ items }: { items: Overview['setup'] }) {
  const { t } = useTranslation();
  const open = items.filter(({ done }) => !done).length;
  if (open === 0) return null;
  return (
    <Panel
      title={t('admin.setup')}
      extra={<span className={parts.quiet}>{t('admin.setup.open', { count: open })}</span>}
    >
      <ul className={styles.list}>
        {items.map(({ item, done }) => {
          const { to, command } = WAYS[item];
          return (
            <li key={item} data-done={done || undefined}>
              <StateGlyph state={done ? 'confirmed' : 'review'} />
              <div>
                <b>{t(`admin.setup.${item}`)}</b>
                {done && <VisuallyHidden> ({t('admin.setup.done')})</VisuallyHidden>}
                {!done && <p>{t(`admin.setup.${item}.without`)}</p>}
              </div>
              {!done && (
                <div className={styles.way}>
                  {to && <Link to={to}>{t('admin.setup.terms')}</Link>}
                  {command && <code dir="ltr">{command}</code>}
                </div>
              )}
            </li>
          );
        })}
      </ul>
      <p className={parts.quiet}>{t('admin.setup.how')}</p>
    </Panel>
  );
}
