import type { PublicConfig } from '@pool/shared';

/** The configuration that the server wrote into this page. */
export function readConfig(): PublicConfig {
  const element = document.getElementById('pool-config');
  if (!element?.textContent) throw new Error('The page came without its configuration');
  return JSON.parse(element.textContent) as PublicConfig;
}
