import { useServices } from './services';
import { use, type ComponentType } from 'react';

/**
 * A page or part outside the first load: its code and the texts of its namespace are loaded when it is first shown.
 * Suspends until then. A load that failed is tried again when it is shown again.
 */
export function lazyPart<Props extends object = object>(
  namespace: string,
  part: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let load: Promise<ComponentType<Props>> | undefined;
  return function LazyPart(props: Props) {
    const { i18n } = useServices();
    if (!load) {
      load = Promise.all([part(), i18n.loadNamespaces(namespace)]).then(([Part]) => Part);
      load.catch(() => {
        load = undefined;
      });
    }
    const Part = use(load);
    return <Part {...props} />;
  };
}
