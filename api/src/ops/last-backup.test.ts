import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { backupGauge, noteBackup } from './last-backup';

it('the time of the last backup is a metric; 0 before the first one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'last-backup-'));
  try {
    const registry = new Registry();
    backupGauge(registry, folder);
    expect(await registry.metrics()).toContain('backup_last_success_timestamp_seconds 0');
    noteBackup(folder, new Date('2026-11-20T10:00:00Z'));
    expect(await registry.metrics()).toContain('backup_last_success_timestamp_seconds 1795168800');
    noteBackup(join(folder, 'nowhere'), new Date());
  } finally {
    rmSync(folder, { recursive: true });
  }
});
