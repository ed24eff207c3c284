import { ApiError } from '@pool/shared';
import { createContext, lazy, Suspense, useCallback, useContext, useState, type ReactNode } from 'react';

/** Runs a call. If it needs a recent sign-in, the user gives the password in a dialog and the call runs again. */
type WithRecentSignIn = <T>(call: () => Promise<T>) => Promise<T>;
const Context = createContext<WithRecentSignIn>((call) => call());
export const useRecentSignIn = (): WithRecentSignIn => useContext(Context);

const PasswordDialog = lazy(() => import(/* webpackChunkName: "account" */ './password-dialog'));
const needsPassword = (error: unknown) => error instanceof ApiError && error.code === 'reverification_required';

/** The page below stays as it is: nothing typed is lost. A cancelled dialog rejects with the call's own error. */
export function RecentSignIn({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<{ answer(given: boolean): void } | null>(null);
  const run = useCallback<WithRecentSignIn>(async (call) => {
    try {
      return await call();
    } catch (error) {
      if (!needsPassword(error)) throw error;
      const given = await new Promise<boolean>((answer) => setAsked({ answer }));
      setAsked(null);
      if (!given) throw error;
      return call();
    }
  }, []);
  return (
    <Context value={run}>
      {children}
      {asked && (
        <Suspense>
          <PasswordDialog onDone={asked.answer} />
        </Suspense>
      )}
    </Context>
  );
}
