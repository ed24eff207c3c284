import { useTranslation, type i18n } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { useApi } from '@pool/shared/remote';
import { Badge, Bell, usePopup } from '@pool/shared/ui/core';
import { useState } from 'react';
import { notificationsQuery } from '../inbox/query';
import bar from './app-bar.module.css';
import styles from './notifications.module.css';

/** The panel with its texts. */
const loadInbox = async (instance: i18n) => {
  const [{ Inbox }] = await Promise.all([import('../inbox/inbox'), instance.loadNamespaces(['inbox', 'events'])]);
  return Inbox;
};

/** The bell and its panel, which takes the focus. */
export function Notifications() {
  const { t, i18n: instance } = useTranslation();
  // Not React.lazy: the commit that ends a fallback waits in a timer, in which an update that another root's effects
  // make at that moment breaks React (error 177).
  const [Inbox, setInbox] = useState<Awaited<ReturnType<typeof loadInbox>> | null>(null);
  const { open, setOpen, close, root } = usePopup();
  const { data } = useQuery(notificationsQuery(useApi()));
  const toggle = () => {
    setOpen(!open);
    if (open || Inbox) return;
    loadInbox(instance).then(
      (loaded) => setInbox(() => loaded),
      () => setOpen(false),
    );
  };
  return (
    <div {...root} className={styles.root}>
      <button
        type="button"
        className={bar.button}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={t('notifications.bell', { count: data?.unread ?? 0 })}
        onClick={toggle}
      >
        <Badge count={data?.unread ?? 0}>
          <Bell size={18} className={styles.bell} />
        </Badge>
      </button>
      {open && Inbox && <Inbox onClose={close} />}
    </div>
  );
}
