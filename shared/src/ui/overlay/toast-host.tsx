/** Toasts and confirmations (ui/core/toasts) with antd. */
import useModal from 'antd/es/modal/useModal';
import useNotification from 'antd/es/notification/useNotification';
import { useEffect } from 'react';
import type { ToastPosition } from '../../contract';
import { AntTheme } from '../antd/themed';
import { Button } from '../core/controls/button';
import type { HostCalls } from '../core/toasts';
import { usePhone } from '../core/use-media-query';

const MAX_TOASTS = 20;
/** px: search, bell and menu stay in reach. */
const BELOW_BAR = 72;
/** px, above the end of the screen: on a phone the navigation's first links are there. */
const ABOVE_END = 24;
const ABOVE_PLACES = 80;
const SECONDS = { success: 2, error: 4, info: 4, loading: false } as const;
/** How long a toast with an action stays. */
const ACTION_SECONDS = 15;

const PLACEMENTS = {
  'top-left': 'topLeft',
  'top-center': 'top',
  'top-right': 'topRight',
  'bottom-left': 'bottomLeft',
  'bottom-center': 'bottom',
  'bottom-right': 'bottomRight',
} as const satisfies Record<ToastPosition, string>;

type Props = { onReady: (calls: HostCalls | null) => void; position?: ToastPosition };

export default function ToastHost(props: Props) {
  return (
    <AntTheme>
      <Host {...props} />
    </AntTheme>
  );
}

function Host({ onReady, position = 'top-right' }: Props) {
  const bottom = usePhone() ? ABOVE_PLACES : ABOVE_END;
  const [notification, toasts] = useNotification({ maxCount: MAX_TOASTS, top: BELOW_BAR, bottom });
  const [modal, dialogs] = useModal();
  useEffect(() => {
    onReady({
      toast(kind, text, { key = `toast-${Math.random()}`, action } = {}) {
        notification[kind === 'loading' ? 'info' : kind]({
          title: text,
          key,
          duration: action ? ACTION_SECONDS : SECONDS[kind],
          actions: action && (
            <Button
              size="small"
              onClick={() => {
                notification.destroy(key);
                action.onClick();
              }}
            >
              {action.label}
            </Button>
          ),
          role: kind === 'error' ? 'alert' : 'status',
          placement: PLACEMENTS[position],
        });
      },
      dismiss: (key) => notification.destroy(key),
      confirm: (options) => modal.confirm({ centered: true, ...options }),
    });
    return () => onReady(null);
  }, [notification, modal, position, onReady]);
  return (
    <>
      {toasts}
      {dialogs}
    </>
  );
}
