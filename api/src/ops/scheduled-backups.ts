/** Makes a verified backup every so many hours, in a process of its own, and removes the oldest ones. */
import { execFile, type ExecFileException } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Pool } from 'pg';
import type { Registry } from 'prom-client';
import { writeAdminNotes } from '../messages/notifications';
import type { Config } from '../platform/config';
import { dayOf } from '../platform/days';
import type { Logger } from '../platform/log';
import { gauge } from '../platform/metrics';
import { program } from '../platform/programs';
import { lastBackup } from './last-backup';
import { every } from '../platform/every';

const HOUR_S = 3600;
const LOOK_MS = 60_000;
/** Number of backups that are kept. */
const KEPT = 14;
/** Characters of the program's output that admins are told. */
const MAX_WHY = 300;
const NAME = /^pool-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z\.backup$/;
const nameAt = (at: Date): string => `pool-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`;

type BackupConfig = Pick<Config, 'DATA_DIR' | 'DATABASE_URL' | 'BACKUP_EVERY' | 'BACKUP_DIR'>;
type Options = {
  config: BackupConfig;
  pool: Pool;
  log: Logger;
  metrics: Registry;
  /** Unix seconds. */
  now(): number;
};

/** Backups of the schedule beyond the newest ones are removed; other files stay. */
function removeOld(folder: string): void {
  const old = readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort()
    .slice(0, -KEPT);
  for (const name of old) rmSync(join(folder, name));
}

export function startBackups({ config, pool, log, metrics, now }: Options): { stop(): Promise<void> } {
  const { DATA_DIR, DATABASE_URL, BACKUP_EVERY: hours, BACKUP_DIR: folder } = config;
  if (!hours || !folder) return { stop: async () => undefined };
  let failed = 0;
  gauge(metrics, 'backup_failed', 'Whether the last backup of the schedule failed', () => failed);
  let failedAt = -Infinity;
  const stopped = new AbortController();

  /** Rejects with what the program said. */
  const make = async (): Promise<void> => {
    const { file, execArgv } = program('../../scripts/backup.ts');
    const { DATABASE_URL: _, DATABASE_DIRECT_URL: __, ...env } = process.env;
    const args = [...execArgv, file, join(folder, nameAt(new Date(now() * 1000))), '--verify'];
    await promisify(execFile)(process.execPath, args, {
      env: { ...env, DATA_DIR, ...(DATABASE_URL === undefined ? {} : { DATABASE_URL }) },
      signal: stopped.signal,
    }).catch(({ stderr, signal, code }: ExecFileException) => {
      throw new Error(stderr?.slice(-4000).trim() || `it ended with ${signal ?? code}`);
    });
  };
  const run = async (): Promise<void> => {
    try {
      await make();
      removeOld(folder);
      failed = 0;
      log.info({ folder }, 'a backup was made and verified');
    } catch (error) {
      if (stopped.signal.aborted) return;
      failedAt = now();
      failed = 1;
      log.error({ err: error }, 'no backup was made; it is tried again in an hour');
      const why = (error instanceof Error ? error.message : String(error)).slice(0, MAX_WHY);
      const note = { kind: 'backup_failed', values: { why }, once: `backup_failed ${dayOf(failedAt)}` };
      await writeAdminNotes(pool, note, failedAt).catch((cannot: unknown) =>
        log.error({ err: cannot }, 'admins cannot be told yet'),
      );
    }
  };
  const look = async (): Promise<void> => {
    const due = Math.max(lastBackup(DATA_DIR) + hours * HOUR_S, failedAt + HOUR_S);
    if (now() >= due) await run();
  };
  const looks = every(LOOK_MS, look, log, 'no backup was made');
  return {
    stop: async () => {
      stopped.abort();
      // Another process does the jobs now, or this one later.
      metrics.removeSingleMetric('backup_failed');
      await looks.stop();
    },
  };
}
