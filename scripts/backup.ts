/** `npm run backup -- <file>`: database, uncounted shares and keys in one file. The server may be running. */
import { readConfig } from '../api/src/config';
import { backup } from '../api/src/ops/backup';
import { commandLine } from '../api/src/ops/command-line';
import { OpsError } from '../api/src/ops/failed';

void commandLine(async () => {
  const [file, ...rest] = process.argv.slice(2);
  if (!file || rest.length) throw new OpsError('npm run backup -- <file>');
  const { kind, ledger } = await backup(readConfig(process.env), file);
  return (
    `${file}: ${kind} database, ledger ${ledger.hash} (${ledger.entries} entries). ` +
    'It holds keys and password hashes: keep it where nobody else reads it.'
  );
});
