/** Several processes on one database (ADR 28): what this one has of the others. */
import { journalFolder } from '../mining/shares/journal/journal-folder';
import type { Pool } from 'pg';
import type { Bus } from '../platform/bus';
import type { Config } from '../platform/config';
import type { Logger } from '../platform/log';
import type { PoolChanges } from '../stratum/pool-changes';
import { NodeRegister } from './register';
import { startRelay } from './relay';
import { Wire } from './wire';

export type Shared = {
  register: NodeRegister;
  wire: Wire;
};

/** Not in the register yet: `register.join` is for when the database is there. */
export async function share({
  config: { DATA_DIR, DATABASE_URL, ROLES },
  pool,
  bus,
  changes,
  log,
  shutdown,
}: {
  config: Config;
  pool: Pool;
  bus: Bus;
  changes: PoolChanges;
  log: Logger;
  shutdown: { add(step: () => Promise<unknown>): void };
}): Promise<Shared> {
  const register = new NodeRegister({ pool, dataDir: DATA_DIR, journal: journalFolder(DATA_DIR), roles: ROLES, log });
  shutdown.add(() => register.leave());
  const wire = new Wire({ url: DATABASE_URL ?? '', pool, id: register.id, log });
  shutdown.add(() => wire.stop());
  wire.on('told', () => {
    register.refresh().catch((error: unknown) => log.debug({ err: error }, 'the register of nodes was not read'));
  });
  const relay = startRelay({ wire, bus, changes });
  shutdown.add(async () => relay.stop());
  await wire.start();
  return { register, wire };
}
