import { direct, readConfig } from '../api/src/platform/config';
import { backup } from '../api/src/ops/backup';
import { commandLine } from '../api/src/ops/command-line';
import { readArguments } from './command-line.mjs';

const { values, positionals } = readArguments({
  name: 'backup',
  takes: '<file>',
  what: 'Database, uncounted shares and keys in one file. The server may be running.',
  options: {
    verify: {
      type: 'boolean',
      what: 'restores it into a scratch database and compares; of a file that exists, only that',
    },
  },
});
void commandLine(async () => {
  const [file = ''] = positionals;
  const { kind, ledger } = await backup(direct(readConfig(process.env)), file, { verify: values.verify });
  return (
    `${file}: ${kind} database, ledger ${ledger.hash} (${ledger.entries} entries)${values.verify ? ', restored and compared' : ''}. ` +
    'It holds keys and password hashes: keep it where nobody else reads it.'
  );
});
