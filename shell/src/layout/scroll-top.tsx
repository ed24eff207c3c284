import { useTranslation } from '@pool/shared/i18n';
import { ArrowUpToLine } from '@pool/shared/ui/core';
import { useState } from 'react';
import { useWindowEvent } from '../use-window-event';
import styles from './scroll-top.module.css';

const SHOW_AFTER_PX = 400;

export default function ScrollTop() {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
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
