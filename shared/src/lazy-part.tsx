import { useServices } from './services';
import { use, type ComponentType } from 'react';

/**
 * A page or part outside the first load: its code and the texts of its namespace are loaded when it is first shown.
 * Suspends until then. A load that failed is tried again with the remote, which is loaded anew after a missing file.
 */
export function lazyPart<Props extends object = object>(
  namespace: string,
  part: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let load: Promise<ComponentType<Props>> | undefined;
  return function LazyPart(props: Props) {
    const { i18n } = useServices();
    load ??= Promise.all([part(), i18n.loadNamespaces(namespace)]).then(([Part]) => Part);
    const Part = use(load);
    return <Part {...props} />;
  };
}
