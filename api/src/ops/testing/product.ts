/** Test helper: the command-line scripts as processes, with a server beside them. */
import { execFile } from 'node:child_process';
import pino from 'pino';
import { readConfig } from '../../platform/config';
import type { Database } from '../../platform/db/database';
import '../../identity/testing/cheap-passwords';
import { createIdentityUser } from '../../identity';
import { poolAccounts } from '../../identity/people/pool-accounts';
import { closeDays } from '../../money/accounting/earnings';
import { countWork } from '../../mining/shares/testing/count-work';
import { addDays, dayOf, startOfDay } from '../../platform/days';
import { start, type Running } from '../../app/start';
import { admin } from '../standalone';
import { eventually } from '../../testing/eventually';
import { PAGES } from '../../testing/server-process';
import { shipped } from '../../testing/typescript';

export type Said = { code: number; out: string; err: string };

/** `npm run <script> -- <args> < input`. */
export const script = (
  name: 'admin' | 'backup' | 'restore',
  args: string[],
  env: Record<string, string>,
  input = '',
): Promise<Said> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...shipped(name), ...args],
      { env: { PATH: process.env.PATH, DATABASE_TEMPLATE: process.env.DATABASE_TEMPLATE, ...env } },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
    child.stdin?.end(input);
  });

/** `npm run admin -- <args>` without a new process: its text, without the last line feed. */
export async function adminText(env: Record<string, string>, ...args: string[]): Promise<string> {
  let text = '';
  await admin(readConfig(env), args, async (part) => {
    text += part;
  });
  return text.replace(/\n$/, '');
}

/** A server without demo and miners. */
export const server = (env: Record<string, string>, stopPatienceMs?: number): Promise<Running> =>
  start(
    readConfig({
      PORT: '0',
      STRATUM_PORT_SHA256: '0',
      STRATUM_PORT_SCRYPT: '0',
      STRATUM_HOST: '127.0.0.1',
      DEMO: '0',
      DIST_DIR: PAGES,
      REMOTES_DIR: '/nonexistent',
      ...env,
    }),
    pino({ level: 'silent' }),
    { say: () => undefined },
    stopPatienceMs,
  );

/** What a server answers to a sign-in with a password. */
export const askSignIn = (url: string, identifier: string, password: string): Promise<Response> =>
  fetch(`${url}/__clerk/v1/client/sign_ins`, {
    method: 'POST',
    headers: { origin: url },
    body: new URLSearchParams({ identifier, password, strategy: 'password' }),
  });

/** Status of a sign-in with a password over HTTP; retried while the server is too busy. */
export const signIn = (url: string, identifier: string, password: string): Promise<number> =>
  eventually(
    async () => {
      const { status } = await askSignIn(url, identifier, password);
      return status !== 503 && status;
    },
    'a server with time for a sign-in',
    60_000,
  );

export const PASSWORD = 'correct horse 9';
export const DAY = addDays(dayOf(Date.now() / 1000), -3);

/** A user who mined on a day, and its earnings. */
export async function fill({ pool }: Pick<Database, 'pool'>): Promise<void> {
  await createIdentityUser(pool, poolAccounts(pool), {
    userName: 'alice',
    email: 'alice@example.com',
    password: PASSWORD,
  });
  await countWork(
    pool,
    [0, 1].map((day) => ({ at: startOfDay(DAY) + day * 86_400, accepted: 1e9, shares: 10 })),
  );
  await closeDays(pool, { poolFeePercent: 1.5 }, Date.now() / 1000, DAY);
}
