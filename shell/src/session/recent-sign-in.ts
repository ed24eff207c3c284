import { ApiError, type ApiClient } from '@pool/shared';

/** Asks for the password; false when that was cancelled. Null while there is no dialog for it. */
let ask: (() => Promise<boolean>) | null = null;

/** The dialog that is asked from now on. Returns how to take it away. */
export function offerDialog(dialog: () => Promise<boolean>): () => void {
  ask = dialog;
  return () => {
    if (ask === dialog) ask = null;
  };
}

/** The pool's code, and the sign-in service's. */
const needsPassword = (error: unknown) =>
  error instanceof ApiError && /^(session_)?reverification_required$/.test(error.code);

/** Asks for the password where a call needs a recent sign-in, and then runs it again. */
export async function asking<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!needsPassword(error) || !(await ask?.())) throw error;
    return call();
  }
}

export const askingClient =
  (api: ApiClient): ApiClient =>
  (call, ...options) =>
    asking(() => api(call, ...options));
