/** Publisher of a version: a person or job, for the history, and a team, which is the same from CI and from a laptop. */
import { execFileSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import os from 'node:os';
import { hashOf, ROOT } from '../build/files';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { signingKey } from './signing';

/** A container may run as a number that has no entry in /etc/passwd. */
function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

export const me = (): string => `${userName()}@${os.hostname()}`;

/** A repository of remotes, to which the shell comes as packages. */
export const isTeams = (): boolean => !existsSync(path.join(ROOT, 'shell'));

/** Whether the account of the pool says who the team is: its password has to be asked for. */
export const isAccount = (): boolean => !signingKey() && process.env.POOL_USER !== undefined;

/** Name of a team: its signing key, else its account, else this checkout. Undefined: the pool's own tree. */
export function team(): string | undefined {
  const key = signingKey();
  if (key) return `key ${hashOf([createPublicKey(key).export({ type: 'spki', format: 'der' })])}`;
  if (process.env.POOL_USER) return `account ${process.env.POOL_USER}`;
  return isTeams() ? `${me()}, ${ROOT}` : undefined;
}

/** The commit of the checkout; `+`: with changes that are not committed. Not known: empty. */
export function commit(): string {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') ? '+' : '');
  } catch {
    return '';
  }
}
