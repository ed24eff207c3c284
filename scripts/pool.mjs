#!/usr/bin/env node
/** `pool <command> …`: the commands, in a repository that has them as the package @pool/build. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [command = '', ...words] = process.argv.slice(2);
const file = fileURLToPath(new URL(`${command}.ts`, import.meta.url));
if (!/^[\w-]+$/.test(command) || !existsSync(file)) {
  console.error('pool <build|check|dev|format|i18n-check|new-remote|remote> …; each answers --help');
  process.exit(1);
}
const { status } = spawnSync(process.execPath, ['--import', import.meta.resolve('tsx'), file, ...words], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
