/**
 * `npm run admin -- <command>`: commands for the operator of the machine. Works while the server runs, and when it is
 * stopped.
 */
import { readConfig } from '../api/src/config';
import { commandLine } from '../api/src/ops/command-line';
import { USAGE } from '../api/src/ops/commands';
import { admin } from '../api/src/ops/standalone';

const args = process.argv.slice(2);
void commandLine(async (write) =>
  args.length === 0 || args[0] === '--help' ? USAGE : admin(readConfig(process.env), args, write),
);
