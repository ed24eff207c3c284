/** Mails of a pool without a mail server: files of the data folder, which admins are shown: the newest, for a week. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { KeptMail } from '@pool/shared/api/contract';
import type { Delivery } from '../outbox/sender';
import { mailAlerts } from './alerts';
import { isSealed, type MailContent } from './mail';
import { KEPT } from './notes';
import { sql } from '../../platform/db/querier';

const MAX_FILES = 200;
const KEPT_MS = 7 * 86_400_000;
const SHOWN = 50;

/** Number of the message in front, so that a second try writes the same file. */
const NAME = /^(\d{1,15})\.json$/;
const folderOf = (dataDir: string): string => join(dataDir, 'mail');

/** Names of the files, the newest first. */
async function filesOf(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const numberOf = (name: string): number => Number(NAME.exec(name)?.[1]);
  return (await readdir(folder)).filter((name) => NAME.test(name)).sort((a, b) => numberOf(b) - numberOf(a));
}

async function read(file: string): Promise<KeptMail[]> {
  try {
    return [JSON.parse(await readFile(file, 'utf8')) as KeptMail];
  } catch {
    // Pruned meanwhile, or cut off by a full disk.
    return [];
  }
}

/** The newest first. `now`: Unix seconds. */
export async function keptMails(dataDir: string, now: number): Promise<KeptMail[]> {
  const folder = folderOf(dataDir);
  const files = (await filesOf(folder)).slice(0, SHOWN);
  const mails = (await Promise.all(files.map((name) => read(join(folder, name))))).flat();
  return mails.filter(({ at }) => Date.parse(at) > now * 1000 - KEPT_MS);
}

/** Removes the files when `keeps` is false: there is a mail server, or nothing is kept any more. */
export async function setKeeping(pool: Pool, dataDir: string, keeps: boolean): Promise<void> {
  if (keeps) {
    await pool.query(sql`insert into setting (name, value) values (${KEPT}, 'true') on conflict do nothing`);
    return;
  }
  await pool.query(sql`delete from setting where name = ${KEPT}`);
  await rm(folderOf(dataDir), { recursive: true, force: true });
}

export function keptDelivery(pool: Pool, dataDir: string): Delivery {
  const folder = folderOf(dataDir);
  return {
    channel: 'mail',
    pace: { targetGapS: 0, gapMs: 0, roundMs: 500 },
    collect: (now) => mailAlerts(pool, now),
    async send({ id, target, content }) {
      // Only what tells of something: what has a code would let an admin into an account.
      const written = isSealed(content) ? null : (JSON.parse(content) as MailContent);
      if (!written?.withLink) return { failed: 'no mail server' };
      const { subject, text } = written;
      const mail: KeptMail = { at: new Date().toISOString(), to: target, subject, text };
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(join(folder, 'new'), JSON.stringify(mail), { mode: 0o600 });
        await rename(join(folder, 'new'), join(folder, `${id}.json`));
      } catch (error) {
        return { retry: (error as NodeJS.ErrnoException).code ?? 'not written', isDown: true };
      }
      for (const name of (await filesOf(folder)).slice(MAX_FILES)) await rm(join(folder, name), { force: true });
      return 'sent';
    },
    async clean(now) {
      for (const name of await filesOf(folder)) {
        const [mail] = await read(join(folder, name));
        if (!mail || Date.parse(mail.at) < now * 1000 - KEPT_MS) await rm(join(folder, name), { force: true });
      }
    },
  };
}
