import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/client';

/** Texts of errors that the first load does not have. */
const NAMESPACE = 'errors';
const keyOf = (error: unknown): string => {
  if (!(error instanceof ApiError)) return 'ui.error.unexpected';
  return error.status === 0 && !navigator.onLine ? 'ui.error.no_network' : `ui.error.${error.code}`;
};

/**
 * What to say about a failed call: by its code, else that it failed. Null without an error, and while the texts of errors
 * are on their way, which the first error loads. `values`: what a text names.
 */
export function useErrorText(error: unknown, values: Record<string, unknown> = {}): string | null {
  const { t, i18n } = useTranslation();
  const key = keyOf(error);
  const missing = Boolean(error) && !i18n.exists(key);
  useEffect(() => {
    if (missing) void i18n.loadNamespaces(NAMESPACE);
  }, [missing, i18n]);
  if (!error) return null;
  if (!missing) return t(key, values);
  if (!i18n.hasLoadedNamespace(NAMESPACE)) return null;
  const { status } = error as ApiError;
  return t(`ui.error.${status === 0 ? 'offline' : status < 500 ? 'invalid_request' : 'server_error'}`);
}
