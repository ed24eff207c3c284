/** Runs the demo's rigs in a child process, so that their hashing never delays the server. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { program } from '../platform/programs';
import type { RigsArguments } from './rigs-child';

const RESTART_MS = 5000;

type RigsOptions = RigsArguments & { say(message: string): void };

/** `start`: the demo's start from `seedDemo`. A child that ends is restarted. */
export function startRigs({ ports, start, say }: RigsOptions): { stop(): Promise<void> } {
  let stopping = false;
  let timer: NodeJS.Timeout | null = null;
  let child: ChildProcess;
  const launch = (): void => {
    const { file, execArgv } = program('demo/rigs-child.ts');
    child = fork(file, [JSON.stringify({ ports, start })], {
      execArgv,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.once('exit', (code, signal) => {
      if (stopping) return;
      say(`The demo's rigs ended (${signal ?? code}); restarting them.`);
      timer = setTimeout(launch, RESTART_MS);
    });
    child.on('error', () => undefined);
  };
  launch();
  return {
    stop: async () => {
      stopping = true;
      if (timer) clearTimeout(timer);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
