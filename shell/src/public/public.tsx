import type { PublicConfig } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { watchBase } from '@pool/shared/public-pages';
import { useState } from 'react';
import { LazyPart } from '../pages/lazy-part';

/** The pages without sign-in: of a watcher link, and the public ones for who is not signed in. */
export default function Outside({ config }: { config: PublicConfig }) {
  const { i18n } = useTranslation();
  const base = watchBase(location.pathname);
  const [load] = useState(() => async () => {
    const [page] = await Promise.all([
      base
        ? import(/* webpackChunkName: "public" */ './watch/watch-page')
        : import(/* webpackChunkName: "public" */ './visitor-page'),
      i18n.loadNamespaces('public'),
    ]);
    return { default: () => <page.default config={config} /> };
  });
  return <LazyPart load={load} />;
}
