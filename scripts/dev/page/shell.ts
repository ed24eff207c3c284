/** First module of the shell's and the landing page's builds in `npm run dev`: hot updates, and problems on the page. */
import { subscribe } from 'pool-hot';
import { reloadTexts } from '@pool/shared/i18n';
import { getI18n } from 'react-i18next';
import './problems';

/** Each build's React Refresh looks here for the page's one React, which the first one's hook does not keep. */
const hook = globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__;
const { inject } = hook;
hook.inject = (renderer) => {
  const id = inject.call(hook, renderer);
  hook.renderers.set(id, renderer);
  return id;
};

subscribe(({ action }) => void (action === 'texts' && reloadTexts(getI18n())));

declare global {
  var __REACT_DEVTOOLS_GLOBAL_HOOK__: { renderers: Map<unknown, unknown>; inject(renderer: unknown): unknown };
}
