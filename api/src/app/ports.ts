/** Tries the ports of pages and miners before anything is made in a new DATA_DIR: the demo takes minutes. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { ALGORITHM_NAMES } from '@pool/shared/domain';
import { type Config, hasRole, settingOf } from '../platform/config';

/** Rejects with the system's error for the first port that this process cannot listen to. */
export async function tryPorts(config: Config): Promise<void> {
  const wanted = [
    { host: config.HOST, port: config.PORT },
    ...(hasRole(config, 'stratum')
      ? ALGORITHM_NAMES.map((name) => ({ host: config.STRATUM_HOST, port: config[settingOf('STRATUM_PORT', name)] }))
      : []),
  ];
  for (const place of wanted) {
    const server = createServer().listen(place);
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
  }
}
