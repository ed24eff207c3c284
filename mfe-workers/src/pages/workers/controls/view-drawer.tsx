import { Check } from '@pool/shared/ui/table';
import { useTranslation } from '@pool/shared/i18n';
import { Button, ChevronDown, ChevronUp, Segmented } from '@pool/shared/ui/core';
import { Drawer } from '@pool/shared/ui/overlay';
import { moved, USUAL, type ColumnKey, type View } from '../list/view';
import styles from './view-drawer.module.css';

/** Columns whose text has another name. */
const LABELS: Partial<Record<ColumnKey, string>> = {
  account: 'workers.view.account',
  trouble: 'workers.state',
  lastShareAt: 'workers.lastShare',
};

/** Chooses and orders the columns, and the height of rows. The list beside it changes at once. */
export function ViewDrawer({ view, onChange, onClose }: { view: View; onChange(view: View): void; onClose(): void }) {
  const { t } = useTranslation();
  const toggle = (key: ColumnKey) => {
    const hidden = view.hidden.includes(key) ? view.hidden.filter((one) => one !== key) : [...view.hidden, key];
    onChange({ ...view, hidden });
  };
  return (
    <Drawer open mask={false} size={320} title={t('workers.view')} onClose={onClose}>
      <h3 className={styles.heading}>{t('workers.view.rows')}</h3>
      <Segmented
        block
        aria-label={t('workers.view.rows')}
        value={view.dense}
        onChange={(dense) => onChange({ ...view, dense })}
        options={[
          { value: false, label: t('workers.view.usual') },
          { value: true, label: t('workers.view.dense') },
        ]}
      />
      <h3 className={styles.heading}>{t('workers.view.columns')}</h3>
      <ul aria-label={t('workers.view.columns')}>
        {view.order.map((key) => {
          const name = t(LABELS[key] ?? `workers.${key}`);
          return (
            <li key={key} className={styles.column}>
              <label>
                <Check checked={!view.hidden.includes(key)} disabled={key === 'name'} onChange={() => toggle(key)} />
                {name}
              </label>
              {key !== 'name' && (
                <span>
                  {([-1, 1] as const).map((by) => (
                    <Button
                      key={by}
                      type="text"
                      size="small"
                      icon={by < 0 ? <ChevronUp /> : <ChevronDown />}
                      aria-label={t(by < 0 ? 'workers.view.up' : 'workers.view.down', { name })}
                      disabled={moved(view, key, by) === view}
                      onClick={() => onChange(moved(view, key, by))}
                    />
                  ))}
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <p className={styles.note}>{t('workers.view.note')}</p>
      <Button onClick={() => onChange(USUAL)} disabled={JSON.stringify(view) === JSON.stringify(USUAL)}>
        {t('workers.view.reset')}
      </Button>
    </Drawer>
  );
}
