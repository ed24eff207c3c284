/** Implementation of `App.useApp()` (ui/core/app) with antd. Limits and times are from specification 9. */
import useModal from 'antd/es/modal/useModal';
import useNotification from 'antd/es/notification/useNotification';
import { useContext, useEffect } from 'react';
import { ConfigContext } from 'antd/es/config-provider';
import type { AppCalls } from '../core/app';

const MAX_TOASTS = 20;
const SECONDS = { success: 2, error: 4, info: 4, warning: 4, loading: false } as const;

export default function AppHost({ onReady }: { onReady: (calls: AppCalls | null) => void }) {
  const [notification, toasts] = useNotification({ maxCount: MAX_TOASTS });
  const [modal, dialogs] = useModal();
  const { direction } = useContext(ConfigContext);
  useEffect(() => {
    onReady({
      toast(kind, text, key) {
        notification[kind === 'loading' ? 'info' : kind]({
          title: text,
          key,
          duration: SECONDS[kind],
          role: kind === 'error' ? 'alert' : 'status',
          placement: direction === 'rtl' ? 'topLeft' : 'topRight',
        });
      },
      dismiss: (key) => notification.destroy(key),
      confirm: (options) => modal.confirm({ centered: true, ...options }),
    });
    return () => onReady(null);
  }, [notification, modal, direction, onReady]);
  return (
    <>
      {toasts}
      {dialogs}
    </>
  );
}
