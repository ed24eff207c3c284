import type { i18n } from 'i18next';
import { lazy, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';

type Part<Props> = ComponentType<Props> | { default: ComponentType<Props> };

/**
 * A page or part outside the first load: its code and the texts of its namespaces are loaded when it is first shown.
 * Suspends until then. A load that failed throws its error, and is tried again when the part is next shown.
 */
export function lazyPart<Props extends object = object>(
  namespaces: string | readonly string[],
  part: () => Promise<Part<Props>>,
): ComponentType<Props> {
  let failed = false;
  const load = (instance: i18n) =>
    lazy(async () => {
      try {
        const [loaded] = await Promise.all([part(), instance.loadNamespaces(namespaces)]);
        return { default: ('default' in loaded ? loaded.default : loaded) as ComponentType<object> };
      } catch (error) {
        failed = true;
        throw error;
      }
    });
  let Loaded: ReturnType<typeof load> | undefined;
  return function LazyPart(props: Props) {
    const { i18n: instance } = useTranslation();
    Loaded ??= load(instance);
    if (failed) {
      failed = false;
      // Not at once: React renders a part that throws a second time before it shows the failure.
      setTimeout(() => {
        Loaded = undefined;
      });
    }
    return <Loaded {...props} />;
  };
}
