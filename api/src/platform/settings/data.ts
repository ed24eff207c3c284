/** Settings of the database, the keys, the backups and the processes. */
import { z } from 'zod';
import { areKeys } from '../secrets';
import { databaseUrl, list, number, place, setting, whole } from './kinds';

/** What a process does of a pool's work (ADR 28). */
export const ROLES = ['web', 'stratum', 'worker'] as const;
export type Role = (typeof ROLES)[number];

export const data = {
  DATA_DIR: setting(place, 'Folder of the embedded database, the journal of shares and the keys.', {
    example: '/var/lib/pool',
    preset: '.data',
  }),
  DATABASE_URL: setting(databaseUrl, 'A PostgreSQL 15 or newer with the encoding UTF8.', {
    example: 'postgres://pool:secret@database.example:5432/pool?sslmode=verify-full&sslrootcert=/etc/pool/ca.pem',
    without: 'the embedded database, which does not survive a power cut',
  }),
  DATABASE_DIRECT_URL: setting(databaseUrl, 'PostgreSQL itself, where DATABASE_URL is a pooler of transactions.', {
    example: 'postgres://pool:secret@database.example:5432/pool',
    without: 'DATABASE_URL',
  }),
  DATABASE_CONNECTIONS: setting(whole({ min: 1, max: 200 }), 'Connections to the PostgreSQL at most.', {
    example: '20',
    preset: '10',
  }),
  SECRETS_KEY: setting(
    z
      .string()
      .refine(
        areKeys,
        'expected 32 bytes in base64 (openssl rand -base64 32); several are comma separated, the current one first',
      ),
    "Key that encrypts users' upstream passwords: 32 bytes in base64 (openssl rand -base64 32). To replace it: new,old.",
    { example: 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=', without: 'a key is made in DATA_DIR/secrets.key' },
  ),
  SECRETS_KEY_FILE: setting(place, 'The same key in a file outside of DATA_DIR.', { example: '/run/secrets/pool-key' }),
  BACKUP_EVERY: setting(
    number({ max: 720 }),
    'Hours between two backups that the server makes and verifies. 0: none.',
    { example: '24', preset: '0' },
  ),
  BACKUP_DIR: setting(place, 'Folder of these backups, on another disk.', {
    example: '/backups',
    without: 'BACKUP_EVERY needs it',
  }),
  ROLES: setting(
    list.pipe(z.array(z.enum(ROLES, 'expected web, stratum, worker, comma separated'))),
    'Parts of the pool that this process runs beside others on its PostgreSQL: web, stratum, worker, comma separated.',
    { example: 'web', preset: '', without: 'all of it, alone' },
  ),
  REREAD_SECONDS: setting(
    whole({ min: 1, max: 3600 }),
    'Seconds after which lists of pools, accounts and ports are read again, in case a message of another process was lost.',
    { example: '30', preset: '60' },
  ),
};
