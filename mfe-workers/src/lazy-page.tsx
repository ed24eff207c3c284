import { useServices } from '@pool/shared/remote';
import { use, type ComponentType } from 'react';

/**
 * A page outside the first load: its code and the texts of its namespace are loaded when it is first shown. Suspends
 * until then. A load that failed is tried again when the page is shown again.
 */
export function lazyPage(namespace: string, page: () => Promise<ComponentType>): ComponentType {
  let load: Promise<ComponentType> | undefined;
  return function LazyPage() {
    const { i18n } = useServices();
    load ??= Promise.all([page(), i18n.loadNamespaces(namespace)]).then(([Page]) => Page);
    load.catch(() => {
      load = undefined;
    });
    const Page = use(load);
    return <Page />;
  };
}
