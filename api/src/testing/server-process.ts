/** Test helper: the server as a process, as it is shipped, with what it says. */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../root';
import { shipped } from './typescript';
import { within } from './eventually';

export type ServerProcess = {
  child: ChildProcess;
  output: () => string;
  /** Rejects when the process ends before it says `text`, or has not said it after a minute. */
  until: (text: string) => Promise<void>;
  /** Exit code; null after a signal. */
  ended: Promise<number | null>;
};

/** What a build makes, for servers that are to be ready: pages without anything in them. */
export const PAGES = join(ROOT, 'api/src/testing/pages');

const running = new Map<ChildProcess, Promise<number | null>>();

/** Ends all that still run, at once. */
export async function killServers(): Promise<void> {
  for (const child of running.keys()) child.kill('SIGKILL');
  await Promise.all(running.values());
}

export type Around = {
  /** Command that runs it, in front of Node's. */
  command?: readonly string[];
  /** Options of Node. */
  node?: readonly string[];
  /** Tree of another build. */
  root?: string;
};

/** Starts a server on free ports, without demo. `env`: its settings. */
export function runServer(env: Record<string, string>, { command = [], node = [], root }: Around = {}): ServerProcess {
  const [file = '', ...args] = [...command, process.execPath, ...node, ...shipped('main', root)];
  const child = spawn(file, args, {
    env: {
      PATH: process.env.PATH,
      DATABASE_TEMPLATE: process.env.DATABASE_TEMPLATE,
      NODE_ENV: 'production',
      PORT: '0',
      STRATUM_PORT_SHA256: '0',
      STRATUM_PORT_SCRYPT: '0',
      STRATUM_HOST: '127.0.0.1',
      DEMO: '0',
      DIST_DIR: PAGES,
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data: Buffer) => {
      text += data.toString();
      for (const look of waiting) look();
    });
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      running.delete(child);
      for (const look of waiting) look();
      resolve(code);
    });
  });
  running.set(child, ended);
  return {
    child,
    ended,
    output: () => text,
    until: (wanted) => {
      const found = new Promise<void>((resolve, reject) => {
        const look = (): void => {
          if (text.includes(wanted)) resolve();
          else if (child.exitCode !== null) reject(new Error(`ended without saying "${wanted}":\n${text}`));
        };
        waiting.add(look);
        look();
      });
      return within(found, () => `"${wanted}" in the output:\n${text}`, 60_000);
    },
  };
}
