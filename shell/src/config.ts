import type { PublicConfig } from '@pool/shared';
import { ID_CONFIG, readScript } from '@pool/shared/page-start';

/** The configuration that the server wrote into this page. */
export function readConfig(): PublicConfig {
  const config = readScript<PublicConfig>(ID_CONFIG);
  if (!config) throw new Error('The page came without its configuration');
  return config;
}
