import type { i18n } from 'i18next';
import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isLeaving, untilStaying } from './leaving';

type Part<Props> = ComponentType<Props> | { default: ComponentType<Props> };

/** A part whose code and texts load when it is first shown; it suspends without `fallback`; a failed load throws. */
export function lazyPart<Props extends object = object>(
  namespaces: string | readonly string[],
  part: () => Promise<Part<Props>>,
  fallback?: ReactNode,
): ComponentType<Props> {
  let failed = false;
  const load = (instance: i18n) =>
    lazy(async () => {
      try {
        const [loaded] = await Promise.all([part(), instance.loadNamespaces(namespaces)]);
        return { default: ('default' in loaded ? loaded.default : loaded) as ComponentType<object> };
      } catch (error) {
        if (isLeaving()) await untilStaying();
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
    const shown = <Loaded {...props} />;
    return fallback === undefined ? shown : <Suspense fallback={fallback}>{shown}</Suspense>;
  };
}
