import '@pool/shared/ui/variables.css';
import '@pool/shared/ui/base.css';
import { earlyFetch } from '@pool/shared';
import { createI18n } from '@pool/shared/i18n';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { warmUp } from './auth';
import { readConfig } from './config';
import { showWhenReady } from './first-view/show';
import type { SavedPage } from './service-worker/saved-page';

/** Null, unless the service worker kept this page for its user. */
async function savedPage(userId: string | null): Promise<SavedPage | null> {
  if (!userId || !document.querySelector('meta[name=pool-saved]')) return null;
  const chunk = await import(/* webpackChunkName: "saved-page" */ './service-worker/saved-page').catch(() => null);
  return chunk && chunk.SavedPage.open(userId);
}

export async function openPage(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page came without #root');
  const config = readConfig();
  warmUp(config.identity);
  const [i18n, saved] = await Promise.all([createI18n({ fetch: earlyFetch }), savedPage(config.userId)]);
  showWhenReady(root);
  // In slices, between which the browser scrolls and answers.
  startTransition(() => createRoot(root).render(<App config={config} i18n={i18n} saved={saved} />));
}
