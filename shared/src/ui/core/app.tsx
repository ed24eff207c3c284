/**
 * Toasts and confirmations. They are not in the first paint: the first call loads antd's parts
 * (ui/overlay/app-host), later calls run at once. Toasts are for success; errors show where they happened (ux-checklist
 * 22).
 */
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
export type AppCalls = {
  toast(kind: 'success' | 'error' | 'info' | 'warning' | 'loading', text: ReactNode, key?: string): void;
  dismiss(key: string): void;
  confirm(options: ConfirmOptions): void;
};

export type AppApi = {
  message: {
    success(text: ReactNode): void;
    info(text: ReactNode): void;
    warning(text: ReactNode): void;
    error(text: ReactNode): void;
    /** Stays until the returned function is called. */
    loading(text: ReactNode): () => void;
  };
  modal: { confirm(options: ConfirmOptions): void };
};

const AppContext = createContext<AppApi | null>(null);
const Host = lazy(() => import('../overlay/app-host'));

export function AppProvider({ toastPosition, children }: { toastPosition?: ToastPosition; children: ReactNode }) {
  const [wanted, setWanted] = useState(false);
  const host = useRef<AppCalls | null>(null);
  const waiting = useRef<((calls: AppCalls) => void)[]>([]);
  const run = useCallback((call: (calls: AppCalls) => void) => {
    if (host.current) return call(host.current);
    waiting.current.push(call);
    setWanted(true);
  }, []);
  const ready = useCallback((calls: AppCalls | null) => {
    host.current = calls;
    if (calls) waiting.current.splice(0).forEach((call) => call(calls));
  }, []);
  const api = useMemo<AppApi>(() => {
    const toast = (kind: 'success' | 'error' | 'info' | 'warning') => (text: ReactNode) =>
      run((calls) => calls.toast(kind, text));
    return {
      message: {
        success: toast('success'),
        info: toast('info'),
        warning: toast('warning'),
        error: toast('error'),
        loading(text) {
          const key = `loading-${Math.random()}`;
          run((calls) => calls.toast('loading', text, key));
          return () => run((calls) => calls.dismiss(key));
        },
      },
      modal: { confirm: (options) => run((calls) => calls.confirm(options)) },
    };
  }, [run]);
  return (
    <AppContext value={api}>
      {children}
      {wanted && (
        <Suspense fallback={null}>
          <Host onReady={ready} position={toastPosition} />
        </Suspense>
      )}
    </AppContext>
  );
}

function useApp(): AppApi {
  const api = useContext(AppContext);
  if (!api) throw new Error('App.useApp() needs a ThemeProvider above it');
  return api;
}

/** `const { message, modal } = App.useApp()`, as in antd. */
export const App = { useApp };
