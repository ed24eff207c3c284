import '@pool/shared/ui/base.css';
import { earlyFetch } from '@pool/shared';
import { createI18n } from '@pool/shared/i18n';
import { ID_START, readScript, type PageStart } from '@pool/shared/page-start';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { unstable_forceFrameRate } from 'scheduler';
import { App } from './app';
import { warmUp } from './auth';
import { readConfig } from './config';
import { showWhenReady } from './first-view/show';
import { takenInvitation } from './pages/invitation/secret';
import type { SavedPage } from './service-worker/saved-page';

/** React's own slices take 5 ms: on a slow phone as much time is lost between them. */
const SLICES_PER_S = 30;

/** Null, unless this is the saved page of the user who is here. */
async function savedPage(userId: string | null): Promise<SavedPage | null> {
  if (!userId || !readScript<PageStart>(ID_START)?.isSaved) return null;
  const chunk = await import(/* webpackChunkName: "idle" */ './service-worker/saved-page').catch(() => null);
  return chunk && chunk.SavedPage.open(userId);
}

export async function openPage(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page came without #root');
  takenInvitation();
  const config = readConfig();
  warmUp(config.identity);
  const saved = await savedPage(config.userId);
  const i18n = await createI18n({ fetch: saved?.fetchTexts ?? earlyFetch });
  showWhenReady(root);
  // The work comes in slices, between which the browser scrolls and answers.
  unstable_forceFrameRate(SLICES_PER_S);
  startTransition(() => createRoot(root).render(<App config={config} i18n={i18n} saved={saved} />));
}
