/** When the last backup was made, for the alarm of backups that are not made any more. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const LAST_BACKUP_FILE = 'last-backup';

/** Nothing without a DATA_DIR: a backup of a PostgreSQL may be made on another machine. */
export function noteBackup(dataDir: string, at: Date): void {
  if (existsSync(dataDir)) writeFileSync(join(dataDir, LAST_BACKUP_FILE), at.toISOString());
}

/** Unix seconds; 0 when none was made, or nobody knows. */
export function lastBackup(dataDir: string): number {
  try {
    return Date.parse(readFileSync(join(dataDir, LAST_BACKUP_FILE), 'utf8')) / 1000 || 0;
  } catch {
    return 0;
  }
}
