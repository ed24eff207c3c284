import '@pool/shared/ui/base.css';
import { earlyFetch } from '@pool/shared';
import { createI18n, I18nextProvider } from '@pool/shared/i18n';
import { createRoot } from 'react-dom/client';
import { readConfig } from '../config';
import { loadLanding } from './data';
import { Landing } from './landing';

/** The public page of `/`: no federation, no antd, no identity library. */
async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page came without #root');
  const data = loadLanding();
  void data.history('SHA256_ASICBOOST');
  const config = readConfig();
  const i18n = await createI18n({ fetch: earlyFetch, namespace: 'landing' });
  createRoot(root).render(
    <I18nextProvider i18n={i18n}>
      <Landing config={config} data={data} />
    </I18nextProvider>,
  );
}

void start();
