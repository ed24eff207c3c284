import { useTranslation } from '@pool/shared/i18n';
import { Search } from '@pool/shared/ui/core';
import styles from './app-bar.module.css';

/** Presses the palette's key, which is answered before the palette's code is there, too (boot-inline.ts). */
export const pressPaletteKey = () =>
  dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, cancelable: true }));

/** Opens search and commands. `short`: without the words. */
export function SearchButton({ short }: { short: boolean }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={`${styles.button} ${short ? styles.searchIcon : styles.search}`}
      aria-label={short ? t('shell.search') : undefined}
      aria-keyshortcuts="Control+K"
      title={short ? `${t('shell.search')} (Ctrl K)` : undefined}
      onClick={pressPaletteKey}
    >
      <Search />
      {!short && (
        <>
          <span>{t('shell.search')}</span>
          <kbd dir="ltr">Ctrl K</kbd>
        </>
      )}
    </button>
  );
}
