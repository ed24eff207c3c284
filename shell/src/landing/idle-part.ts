import type { i18n } from '@pool/shared/i18n';
import { whenIdle } from '@pool/shared/ui/core';
import { lazy, type ComponentType } from 'react';

/**
 * A part that the first screen does without: loaded, with its texts, when the browser has nothing else to do. One that
 * cannot be loaded is left out.
 */
export const idlePart = <P extends object>(instance: i18n, load: () => Promise<ComponentType<P>>, texts?: string) =>
  lazy<ComponentType<P>>(async () => {
    await new Promise<void>((resolve) => whenIdle(resolve));
    return Promise.all([load(), texts && instance.loadNamespaces(texts)]).then(
      ([part]) => ({ default: part }),
      () => ({ default: () => null }),
    );
  });
