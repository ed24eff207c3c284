import { useTranslation } from '@pool/shared/i18n';
import { useEffect, useRef, type ReactNode } from 'react';
import styles from './nav-drawer.module.css';
import { followSwipes } from './swipe';

type NavDrawerProps = { open: boolean; onOpen(): void; onClose(): void; children: ReactNode };

/** The navigation on small screens, in the browser's own dialog, opened by a button or a swipe from the edge. */
export default function NavDrawer({ open, onOpen, onClose, children }: NavDrawerProps) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (!element || element.open === open) return;
    if (open) element.showModal();
    else element.close();
  }, [open]);
  const acts = useRef({ open: onOpen, close: onClose });
  useEffect(() => {
    acts.current = { open: onOpen, close: onClose };
  });
  useEffect(() => {
    if (!dialog.current) return;
    return followSwipes({
      dialog: dialog.current,
      open: () => acts.current.open(),
      close: () => acts.current.close(),
    });
  }, []);
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
