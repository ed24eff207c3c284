import '@pool/shared/ui/fonts.css';
import '@pool/shared/ui/variables.css';
import '@pool/shared/ui/base.css';
import './remotes/files';
import { earlyFetch } from '@pool/shared';
import { createI18n } from '@pool/shared/i18n';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { warmUp } from './auth';
import { readConfig } from './config';

async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page came without #root');
  const config = readConfig();
  warmUp(config.identity);
  const i18n = await createI18n({ fetch: earlyFetch });
  createRoot(root).render(<App config={config} i18n={i18n} />);
}

void start();
