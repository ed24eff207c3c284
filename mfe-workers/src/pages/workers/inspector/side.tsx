import { useTranslation } from '@pool/shared/i18n';
import { Button, X } from '@pool/shared/ui/core';
import { useEffect, useRef, type ReactNode } from 'react';
import styles from './inspector.module.css';

type Props = {
  label: string;
  title: ReactNode;
  sub?: ReactNode;
  buttons?: ReactNode;
  onClose(): void;
  children: ReactNode;
};

/** The panel beside the list. Not modal: the list stays usable. */
export function Side({ label, title, sub, buttons, onClose, children }: Props) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  // The keyboard would have to walk through the rest of the list to get here. Closing returns the focus to the row.
  useEffect(() => heading.current?.focus(), []);
  return (
    <aside className={styles.inspector} aria-label={label} data-inspector="">
      <header className={styles.head}>
        <div className={styles.words}>
          <h2 ref={heading} tabIndex={-1} className={styles.name} aria-live="polite">
            {title}
          </h2>
          {sub}
        </div>
        <div className={styles.buttons}>
          {buttons}
          <IconButton name={t('workers.close')} onClick={onClose}>
            <X />
          </IconButton>
        </div>
      </header>
      {children}
    </aside>
  );
}

export function IconButton({ name, onClick, children }: { name: string; onClick(): void; children: ReactNode }) {
  return (
    <Button
      type="text"
      className={styles.iconButton}
      aria-label={name}
      title={name}
      onClick={onClick}
      icon={children}
    />
  );
}
