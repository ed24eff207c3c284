import { useTranslation } from '@pool/shared/i18n';
import { ArrowUpToLine } from '@pool/shared/ui/core';
import { useState } from 'react';
import { useWindowEvent } from '../use-window-event';
import { usePageFocus } from './use-page-focus';
import styles from './page-scroll.module.css';

const SHOW_AFTER_PX = 400;

type Props = {
  page: string;
  /** The page when the layout began, where that may have been left before this was loaded. */
  first?: string;
  mainId: string;
};

/** Focus and place after a change of page, and the way up a long one. */
export default function PageScroll({ page, first = page, mainId }: Props) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  usePageFocus(page, first, mainId);
  useWindowEvent('scroll', () => setShown(scrollY > SHOW_AFTER_PX));
  if (!shown) return null;
  return (
    <button
      type="button"
      className={styles.button}
      aria-label={t('shell.toTop')}
      title={t('shell.toTop')}
      onClick={() => scrollTo({ top: 0, behavior: 'smooth' })}
    >
      <ArrowUpToLine />
    </button>
  );
}
