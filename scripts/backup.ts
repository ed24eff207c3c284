import { readConfig } from '../api/src/config';
import { backup } from '../api/src/ops/backup';
import { commandLine } from '../api/src/ops/command-line';
import { readArguments } from './command-line.mjs';

const { positionals } = readArguments({
  name: 'backup',
  takes: '<file>',
  what: 'Database, uncounted shares and keys in one file. The server may be running.',
});
void commandLine(async () => {
  const [file = ''] = positionals;
  const { kind, ledger } = await backup(readConfig(process.env), file);
  return (
    `${file}: ${kind} database, ledger ${ledger.hash} (${ledger.entries} entries). ` +
    'It holds keys and password hashes: keep it where nobody else reads it.'
  );
});
