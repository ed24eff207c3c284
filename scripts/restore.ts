/** `npm run restore -- <file> [--force]`: restores a backup. With --force existing data is moved aside first. */
import { parseArgs } from 'node:util';
import { readConfig } from '../api/src/config';
import { commandLine } from '../api/src/ops/command-line';
import { OpsError } from '../api/src/ops/failed';
import { restore } from '../api/src/ops/restore';

void commandLine(async () => {
  const {
    values: { force },
    positionals: [file, ...rest],
  } = parseArgs({ options: { force: { type: 'boolean', default: false } }, allowPositionals: true });
  if (!file || rest.length) throw new OpsError('npm run restore -- <file> [--force]');
  const { madeAt, ledger, aside } = await restore(readConfig(process.env), file, { force });
  return [
    `Restored the backup of ${madeAt}; ledger ${ledger.hash} (${ledger.entries} entries), as it was.`,
    ...aside.map((where) => `What was there before is in ${where}.`),
  ].join('\n');
});
