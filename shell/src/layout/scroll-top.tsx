import { useTranslation } from '@pool/shared/i18n';
import { ArrowUpToLine } from '@pool/shared/ui/core';
import { useEffect, useState } from 'react';
import styles from './scroll-top.module.css';

const SHOW_AFTER_PX = 400;

export default function ScrollTop() {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const follow = () => setShown(scrollY > SHOW_AFTER_PX);
    addEventListener('scroll', follow, { passive: true });
    return () => removeEventListener('scroll', follow);
  }, []);
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
