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

const needsPassword = (error: unknown) => error instanceof ApiError && error.code === 'reverification_required';

/** A client whose calls ask for the password where they need a recent sign-in, and then run again. */
export const askingClient =
  (api: ApiClient): ApiClient =>
  async (call, ...options) => {
    try {
      return await api(call, ...options);
    } catch (error) {
      if (!needsPassword(error) || !(await ask?.())) throw error;
      return api(call, ...options);
    }
  };
