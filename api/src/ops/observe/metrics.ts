/** Metrics of the whole process; others are made by the parts that they measure. */
import { stat, statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { Gauge, type Registry } from 'prom-client';
import type { Config } from '../../platform/config';
import type { Database } from '../../platform/db/database';
import { lastBackup } from '../last-backup';
import { journalFolder, segmentsIn } from '../../mining/shares/journal/journal-folder';
import { BUILD } from './build';
import { databaseMetrics } from './database';
import { gauge } from '../../platform/metrics';

/** Size and last change of the segments that are not counted, the open one included. */
async function journalFiles(folder: string): Promise<{ size: number; mtimeMs: number }[]> {
  const found = await Promise.all(segmentsIn(folder).map(({ path }) => stat(path).catch(() => null)));
  // Null: counted and removed meanwhile.
  return found.filter((file) => file !== null);
}

export function processMetrics(registry: Registry, { DATA_DIR }: Pick<Config, 'DATA_DIR'>, database: Database): void {
  new Gauge({
    name: 'build_info',
    help: 'The build that runs',
    labelNames: ['build', 'node'],
    registers: [registry],
  }).set({ build: BUILD, node: process.versions.node }, 1);
  const folder = journalFolder(DATA_DIR);
  gauge(registry, 'journal_bytes', 'Bytes of shares that are not counted yet', async () =>
    (await journalFiles(folder)).reduce((sum, { size }) => sum + size, 0),
  );
  gauge(registry, 'journal_age_seconds', 'Time since the oldest share that is not counted was written', async () => {
    const times = (await journalFiles(folder)).flatMap(({ size, mtimeMs }) => (size > 0 ? [mtimeMs] : []));
    return times.length ? Math.max(0, Date.now() - Math.min(...times)) / 1000 : 0;
  });
  const room = (of: 'bavail' | 'blocks') => async (): Promise<number | null> => {
    const disk = await statfs(DATA_DIR).catch(() => null);
    return disk && disk[of] * disk.bsize;
  };
  gauge(registry, 'disk_free_bytes', 'Room on the disk of DATA_DIR', room('bavail'));
  gauge(registry, 'disk_size_bytes', 'Size of the disk of DATA_DIR', room('blocks'));
  gauge(
    registry,
    'nodejs_heap_limit_bytes',
    'Heap with which the process ends',
    () => getHeapStatistics().heap_size_limit,
  );
  gauge(registry, 'process_memory_limit_bytes', 'Memory that the container, or else the machine has', () =>
    // Without a limit it is a number near 2^64, or 0.
    Math.min(process.constrainedMemory() || Infinity, totalmem()),
  );
  const backedUp = 'When the last backup was made with npm run backup; 0: never';
  gauge(registry, 'backup_last_success_timestamp_seconds', backedUp, () => lastBackup(DATA_DIR));
  databaseMetrics(registry, database);
}
