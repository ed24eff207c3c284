import { useEffect, useRef } from 'react';
import { useTranslation } from '@pool/shared/i18n';
import styles from './commands.module.css';
import type { IdleFeaturesProps } from './idle-features';
import { Help } from './help';
import { Palette } from './palette';

type Shown = 'palette' | 'help';
export type DialogProps = IdleFeaturesProps & { shown: Shown; onShow(shown: Shown | null): void };

/** The browser's own dialog: it traps the focus, closes on Escape and gives the focus back. */
export default function Dialog(props: DialogProps) {
  const { t } = useTranslation();
  const { shown, onShow } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-label={t(`commands.${shown}`)}
      onClose={() => onShow(null)}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      {shown === 'palette' ? (
        <Palette {...props} onDone={() => dialog.current?.close()} />
      ) : (
        <Help links={props.links} onDone={() => dialog.current?.close()} />
      )}
    </dialog>
  );
}
