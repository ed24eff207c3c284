import { direct, readConfig } from '../api/src/platform/config';
import { commandLine } from '../api/src/ops/command-line';
import { restore } from '../api/src/ops/restore';
import { readArguments } from './command-line.mjs';

const { values, positionals } = readArguments({
  name: 'restore',
  takes: '<file>',
  what: 'Restores a backup into an empty place.',
  options: {
    force: { type: 'boolean', what: 'moves existing data aside first' },
    'keep-tokens': { type: 'boolean', what: 'watcher links and API keys stay valid, those revoked since too' },
  },
});
void commandLine(async () => {
  const [file = ''] = positionals;
  const { force = false, 'keep-tokens': keepTokens = false } = values;
  const { madeAt, ledger, aside } = await restore(direct(readConfig(process.env)), file, { force, keepTokens });
  return [
    `Restored the backup of ${madeAt}; ledger ${ledger.hash} (${ledger.entries} entries), as it was.`,
    `Everybody signs in anew${keepTokens ? '' : ', and watcher links and API keys have ended (--keep-tokens keeps them)'}.`,
    ...aside.map((where) => `What was there before is in ${where}.`),
  ].join('\n');
});
