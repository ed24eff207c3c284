import { useTranslation } from '@pool/shared/i18n';
import { useEffect, useRef, type ReactNode } from 'react';
import styles from './nav-drawer.module.css';

/**
 * The navigation on small screens. The browser's own dialog traps the focus, closes on Escape and restores the focus.
 */
export function NavDrawer({ open, onClose, children }: { open: boolean; onClose(): void; children: ReactNode }) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (!element || element.open === open) return;
    if (open) element.showModal();
    else element.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      className={styles.drawer}
      aria-label={t('nav.main')}
      onClose={onClose}
      onClick={(event) => {
        const clicked = event.target as HTMLElement;
        if (clicked === dialog.current || clicked.closest('a')) onClose();
      }}
    >
      {open && <div className={styles.inside}>{children}</div>}
    </dialog>
  );
}
