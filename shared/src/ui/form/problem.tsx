import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/client';
import { ErrorPanel, StateGlyph, useErrorText } from '../core';
import styles from './problem.module.css';

/** Why a change was not made. `nameOf`: the name of a row of a list, for errors of single rows. */
export function Problem({ error, nameOf }: { error: unknown; nameOf?: (row: number) => string | undefined }) {
  const { t, i18n } = useTranslation();
  const text = useErrorText(error);
  if (!error) return null;
  if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) return <ErrorPanel error={error} />;
  if (text === null) return null;
  const rows = (error.problem.errors ?? []).flatMap(({ path, message }) => {
    const row = /^\w+\.(\d+)/.exec(path)?.[1];
    const name = row === undefined ? undefined : nameOf?.(Number(row));
    // The message is a code, or the code of the whole is that of the one row at fault.
    const key = `ui.error.${message}`;
    return name === undefined ? [] : [{ name, why: i18n.exists(key) ? t(key) : text }];
  });
  // Nothing failed: the change is kept until another owner confirms it.
  const waits = error.code === 'second_owner';
  return (
    <div role="alert" className={`${styles.problem} ${waits ? styles.waits : ''}`}>
      <StateGlyph state={waits ? 'review' : 'failed'} />
      <div>
        {rows.length ? t('ui.error.bulk_refused') : text}
        {rows.map(({ name, why }) => (
          <div key={name}>
            <bdi>{name}</bdi>: {why}
          </div>
        ))}
      </div>
    </div>
  );
}
