import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Loads the texts of a namespace that the first load does not have, once they are `wanted`. Returns whether they have come. */
export function useTexts(namespace: string, wanted = true): boolean {
  const { i18n } = useTranslation();
  const [come, setCome] = useState(() => i18n.hasLoadedNamespace(namespace));
  useEffect(() => {
    if (wanted) void i18n.loadNamespaces(namespace).then(() => setCome(true));
  }, [i18n, namespace, wanted]);
  return come;
}
