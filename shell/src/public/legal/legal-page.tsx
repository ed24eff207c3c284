import { useTranslation } from '@pool/shared/i18n';
import { formatDay, PageHeader, Panel } from '@pool/shared/ui/core';
import styles from './legal.module.css';

/** Day from which both texts are in force. */
const SINCE = '2026-11-22T00:00:00Z';

/** A short legal text. `parts`: names of its sections, whose texts are `legal.<name>.<part>.title` and `.text`. */
export function LegalPage({ name, title, parts }: { name: string; title: string; parts: readonly string[] }) {
  const { t, i18n } = useTranslation();
  const day = formatDay(i18n.resolvedLanguage ?? 'en', 'utc', SINCE, true);
  return (
    <div className={styles.page}>
      <PageHeader title={t(title)} sub={t('legal.since', { day })} />
      <Panel>
        <div className={styles.text}>
          {parts.map((part) => (
            <section key={part}>
              <h2>{t(`legal.${name}.${part}.title`)}</h2>
              <p>{t(`legal.${name}.${part}.text`)}</p>
            </section>
          ))}
        </div>
      </Panel>
    </div>
  );
}
