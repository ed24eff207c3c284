import { execFileSync } from 'node:child_process';
import { ROOT } from '../build/files';

let known: string | undefined;
/** The commit of the checkout; `+`: with changes that are not committed. Not known: empty. */
export function commit(): string {
  return (known ??= readCommit());
}

function readCommit(): string {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') ? '+' : '');
  } catch {
    return '';
  }
}
