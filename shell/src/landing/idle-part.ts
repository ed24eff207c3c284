import type { i18n } from '@pool/shared/i18n';
import { whenIdle } from '@pool/shared/ui/core';
import { lazy, type ComponentType } from 'react';

/** A part outside the first screen, loaded with its texts when the browser is idle, left out when it cannot be. */
export const idlePart = <P extends object>(instance: i18n, load: () => Promise<ComponentType<P>>, texts?: string) =>
  lazy<ComponentType<P>>(async () => {
    await new Promise<void>((resolve) => whenIdle(resolve));
    return Promise.all([load(), texts && instance.loadNamespaces(texts)]).then(
      ([part]) => ({ default: part }),
      () => ({ default: () => null }),
    );
  });
