import { ApiError } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { ErrorPanel, StateGlyph } from '@pool/shared/ui/core';
import styles from './parts.module.css';

/**
 * Why a change was not made, where it was asked for. `nameOf`: the name of a row of a list, for errors of single rows.
 */
export function Problem({ error, nameOf }: { error: unknown; nameOf?: (row: number) => string | undefined }) {
  const { t, i18n } = useTranslation();
  if (!(error instanceof ApiError)) return <ErrorPanel error={error} />;
  const textOf = (code: string): string | null =>
    i18n.exists(`admin.error.${code}`) ? t(`admin.error.${code}`) : null;
  const rows = (error.problem.errors ?? []).flatMap(({ path, message }) => {
    const row = /^\w+\.(\d+)/.exec(path)?.[1];
    const name = row === undefined ? undefined : nameOf?.(Number(row));
    // Where one row is at fault the code of the whole is that row's, or the row's message is a code.
    return name === undefined ? [] : [{ name, text: textOf(message) ?? textOf(error.code) ?? message }];
  });
  const text = textOf(error.code);
  if (!rows.length && text === null) return <ErrorPanel error={error} />;
  return (
    <div role="alert" className={styles.problem}>
      <StateGlyph state="failed" />
      <div>
        {rows.length ? t('admin.error.nothing-changed') : text}
        {rows.map(({ name, text: why }) => (
          <div key={name}>
            <bdi>{name}</bdi>: {why}
          </div>
        ))}
      </div>
    </div>
  );
}
