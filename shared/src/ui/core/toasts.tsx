/** Toasts, for success only, and confirmations: the first call loads antd's parts (ui/overlay/toast-host). */
import {
  createContext,
  lazy,
  Suspense,
  useCallback,
  useContext,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import type { ModalFuncProps } from 'antd/es/modal';
import type { ToastPosition } from '../../contract';

/** Confirms a destructive action: its button is filled with the brand's red. */
type ConfirmOptions = Pick<
  ModalFuncProps,
  'title' | 'content' | 'okText' | 'cancelText' | 'onOk' | 'onCancel' | 'width' | 'icon'
>;
/** What a toast offers to do, such as to undo what it tells of. */
export type ToastAction = { label: string; onClick(): void };
export type HostCalls = {
  toast(
    kind: 'success' | 'error' | 'info' | 'loading',
    text: ReactNode,
    more?: { key?: string; action?: ToastAction },
  ): void;
  dismiss(key: string): void;
  confirm(options: ConfirmOptions): void;
};

export type Toasts = {
  success(text: ReactNode, action?: ToastAction): void;
  info(text: ReactNode): void;
  error(text: ReactNode): void;
  /** Stays until the returned function is called. */
  loading(text: ReactNode): () => void;
};
type Toaster = { toasts: Toasts; confirm(this: void, options: ConfirmOptions): void };

const ToasterContext = createContext<Toaster | null>(null);
const Host = lazy(() => import('../overlay/toast-host'));

export function ToastProvider({ toastPosition, children }: { toastPosition?: ToastPosition; children: ReactNode }) {
  const [wanted, setWanted] = useState(false);
  const host = useRef<HostCalls | null>(null);
  const waiting = useRef<((calls: HostCalls) => void)[]>([]);
  const run = useCallback((call: (calls: HostCalls) => void) => {
    if (host.current) return call(host.current);
    waiting.current.push(call);
    setWanted(true);
  }, []);
  const ready = useCallback((calls: HostCalls | null) => {
    host.current = calls;
    if (calls) waiting.current.splice(0).forEach((call) => call(calls));
  }, []);
  const toaster = useMemo<Toaster>(() => {
    const toast = (kind: 'success' | 'error' | 'info') => (text: ReactNode, action?: ToastAction) =>
      run((calls) => calls.toast(kind, text, { action }));
    return {
      toasts: {
        success: toast('success'),
        info: toast('info'),
        error: toast('error'),
        loading(text) {
          const key = `loading-${Math.random()}`;
          run((calls) => calls.toast('loading', text, { key }));
          return () => run((calls) => calls.dismiss(key));
        },
      },
      confirm: (options) => run((calls) => calls.confirm(options)),
    };
  }, [run]);
  return (
    <ToasterContext value={toaster}>
      {children}
      {wanted && (
        <Suspense fallback={null}>
          <Host onReady={ready} position={toastPosition} />
        </Suspense>
      )}
    </ToasterContext>
  );
}

function useToaster(): Toaster {
  const toaster = useContext(ToasterContext);
  if (!toaster) throw new Error('useToasts() and useConfirm() need a ThemeProvider above them');
  return toaster;
}

export const useToasts = (): Toasts => useToaster().toasts;

/** Asks before a destructive action. */
export const useConfirm = (): Toaster['confirm'] => useToaster().confirm;
