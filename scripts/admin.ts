import { direct, readConfig } from '../api/src/platform/config';
import { commandLine } from '../api/src/ops/command-line';
import { USAGE } from '../api/src/ops/commands';
import { admin } from '../api/src/ops/standalone';
import { readArguments } from './command-line.mjs';

const { positionals } = readArguments({
  name: 'admin',
  takes: '<command> [arguments...]',
  what: `For the operator of the machine, while the server runs or when it is stopped. Commands:\n${USAGE}`,
});
void commandLine((write) => admin(direct(readConfig(process.env)), positionals, write));
