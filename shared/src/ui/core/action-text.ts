import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/** Texts of the audit log that the first load does not have. */
const NAMESPACE = 'audit';

/** Words for the actions of the audit log, `ui.action.<action>`; an action without words keeps its own. */
export function useActionText(): (action: string) => string {
  const { t, i18n } = useTranslation();
  useEffect(() => {
    void i18n.loadNamespaces(NAMESPACE);
  }, [i18n]);
  return (action) => t(`ui.action.${action}`, { defaultValue: action });
}
