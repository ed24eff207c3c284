import { direct, readConfig } from '../api/src/config';
import { commandLine } from '../api/src/ops/command-line';
import { restore } from '../api/src/ops/restore';
import { readArguments } from './command-line.mjs';

const { values, positionals } = readArguments({
  name: 'restore',
  takes: '<file>',
  what: 'Restores a backup into an empty place.',
  options: { force: { type: 'boolean', what: 'moves existing data aside first' } },
});
void commandLine(async () => {
  const [file = ''] = positionals;
  const { force = false } = values;
  const { madeAt, ledger, aside } = await restore(direct(readConfig(process.env)), file, { force });
  return [
    `Restored the backup of ${madeAt}; ledger ${ledger.hash} (${ledger.entries} entries), as it was.`,
    ...aside.map((where) => `What was there before is in ${where}.`),
  ].join('\n');
});
