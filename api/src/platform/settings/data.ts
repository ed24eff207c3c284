/** Settings of the database, the keys, the backups and the processes. */
import { z } from 'zod';
import { areKeys } from '../secrets';
import { databaseUrl, list, number, place, setting, whole } from './kinds';

/** What a process does of a pool's work (ADR 28). */
export const ROLES = ['web', 'stratum', 'worker'] as const;
export type Role = (typeof ROLES)[number];

export const data = {
  DATA_DIR: setting(
    {
      says: 'Folder of the embedded database, the journal of shares and the keys.',
      example: '/var/lib/pool',
      preset: '.data',
    },
    place,
  ),
  DATABASE_URL: setting(
    {
      says: 'A PostgreSQL 15 or newer with the encoding UTF8.',
      example: 'postgres://pool:secret@database.example:5432/pool?sslmode=verify-full&sslrootcert=/etc/pool/ca.pem',
      without: 'the embedded database, which does not survive a power cut',
    },
    databaseUrl,
  ),
  DATABASE_DIRECT_URL: setting(
    {
      says: 'PostgreSQL itself, where DATABASE_URL is a pooler of transactions.',
      example: 'postgres://pool:secret@database.example:5432/pool',
      without: 'DATABASE_URL',
    },
    databaseUrl,
  ),
  DATABASE_CONNECTIONS: setting(
    { says: 'Connections to the PostgreSQL at most.', example: '20', preset: '10' },
    whole({ min: 1, max: 200 }),
  ),
  SECRETS_KEY: setting(
    {
      says: "Key that encrypts users' upstream passwords: 32 bytes in base64 (openssl rand -base64 32). To replace it: new,old.",
      example: 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
      without: 'a key is made in DATA_DIR/secrets.key',
    },
    z
      .string()
      .refine(
        areKeys,
        'expected 32 bytes in base64 (openssl rand -base64 32); several are comma separated, the current one first',
      ),
  ),
  SECRETS_KEY_FILE: setting(
    { says: 'The same key in a file outside of DATA_DIR.', example: '/run/secrets/pool-key' },
    place,
  ),
  SECRETS_KEY_COMMAND: setting(
    { says: 'A shell command that prints the same key.', example: 'vault kv get -field=key pool' },
    z.string(),
  ),
  BACKUP_EVERY: setting(
    { says: 'Hours between two backups that the server makes and verifies. 0: none.', example: '24', preset: '0' },
    number({ max: 720 }),
  ),
  BACKUP_DIR: setting(
    { says: 'Folder of these backups, on another disk.', example: '/backups', without: 'BACKUP_EVERY needs it' },
    place,
  ),
  ROLES: setting(
    {
      says: 'Parts of the pool that this process runs beside others on its PostgreSQL: web, stratum, worker, comma separated.',
      example: 'web',
      preset: '',
      without: 'all of it, alone',
    },
    list.pipe(z.array(z.enum(ROLES, 'expected web, stratum, worker, comma separated'))),
  ),
  REREAD_SECONDS: setting(
    {
      says: 'Seconds after which lists of pools, accounts and ports are read again, in case a message of another process was lost.',
      example: '30',
      preset: '60',
    },
    whole({ min: 1, max: 3600 }),
  ),
};
