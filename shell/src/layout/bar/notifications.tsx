import { useTranslation, type i18n } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { useApi } from '@pool/shared/remote';
import { Badge, Bell } from '@pool/shared/ui/core';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { notificationsQuery } from '../inbox/query';
import bar from './app-bar.module.css';
import styles from './notifications.module.css';

/** The panel with its texts. Loaded lazily: it cannot be opened before the page is ready. */
const inboxWith = (instance: i18n) =>
  lazy(async () => {
    const [{ Inbox }] = await Promise.all([import('../inbox/inbox'), instance.loadNamespaces('inbox')]);
    return { default: Inbox };
  });

/** The bell and its panel: the focus moves in and back; a click elsewhere or Escape closes it. */
export function Notifications() {
  const { t, i18n: instance } = useTranslation();
  const [Inbox] = useState(() => inboxWith(instance));
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { data } = useQuery(notificationsQuery(useApi()));
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };

  useEffect(() => {
    if (!open) return;
    const leave = ({ target }: Event) => {
      if (target instanceof Node && !root.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
    };
  }, [open]);

  return (
    <div
      ref={root}
      className={styles.root}
      onKeyDown={(event) => {
        if (open && event.key === 'Escape') close();
      }}
    >
      <button
        ref={button}
        type="button"
        className={bar.button}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={t('notifications.bell', { count: data?.unread ?? 0 })}
        onClick={() => setOpen(!open)}
      >
        <Badge count={data?.unread ?? 0}>
          <Bell size={18} strokeWidth={1.75} aria-hidden className={styles.bell} />
        </Badge>
      </button>
      {open && (
        <Suspense>
          <Inbox onClose={close} />
        </Suspense>
      )}
    </div>
  );
}
