/**
 * The channel from the command line to a running server: HTTP on a unix socket that only the server's own user may
 * open. DATA_DIR/control contains its path; the socket itself is in a private folder of the system's temporary folder,
 * because its path must be short.
 */
import { once } from 'node:events';
import { chmodSync, createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { Database } from '../platform/db/database';
import type { Logger } from '../platform/log';
import type { CommandContext } from './command';
import { runCommand } from './commands';
import { OperatorError } from '../platform/operator-error';
import { ledgerHash } from './ledger-hash';

const pointer = (dataDir: string): string => join(dataDir, 'control');
const failureSchema = z.object({ failed: z.string() });
const bodySchema = z.object({ args: z.array(z.string()) });
/** Header with the hash of the ledger in the copy that follows. */
const LEDGER = 'x-ledger';

export type ControlOptions = { dataDir: string; database: Database; context: CommandContext; log: Logger };

export async function startControl({
  dataDir,
  database,
  context,
  log,
}: ControlOptions): Promise<{ stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'pool-control-'));
  const path = join(folder, 's');

  async function answer(message: IncomingMessage, reply: ServerResponse): Promise<void> {
    if (message.url === '/database') {
      if (!database.dump)
        throw new OperatorError('This server works with a PostgreSQL: run the backup with its DATABASE_URL.');
      const own = mkdtempSync(join(dataDir, '.ops-'));
      try {
        const file = join(own, 'database');
        reply.setHeader(LEDGER, JSON.stringify(await database.dump(file, ledgerHash)));
        await pipeline(createReadStream(file), reply);
      } finally {
        rmSync(own, { recursive: true, force: true });
      }
      return;
    }
    const { args } = bodySchema.parse(await json(message));
    log.info({ command: args[0] }, 'command line');
    const text = runCommand(context, args);
    // What is refused is refused before the first part.
    const first = await text.next();
    if (!first.done) reply.write(first.value);
    await pipeline(text, reply);
  }

  const server = createServer((message, reply) => {
    answer(message, reply).catch((error: unknown) => {
      if (!(error instanceof OperatorError)) log.error({ err: error }, 'a command failed');
      if (reply.headersSent) reply.destroy();
      else reply.writeHead(500).end(JSON.stringify({ failed: error instanceof Error ? error.message : String(error) }));
    });
  });
  await once(server.listen(path), 'listening');
  chmodSync(path, 0o600);
  writeFileSync(pointer(dataDir), path, { mode: 0o600 });
  return {
    stop: async () => {
      rmSync(pointer(dataDir), { force: true });
      await once(server.close(), 'close');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Null: no server runs on this DATA_DIR. Throws `OperatorError` with the server's reason when it refused. */
async function ask(dataDir: string, url: string, body: string): Promise<IncomingMessage | null> {
  let socketPath: string;
  try {
    socketPath = readFileSync(pointer(dataDir), 'utf8');
  } catch {
    return null;
  }
  const message = await new Promise<IncomingMessage | null>((resolve, reject) => {
    request({ socketPath, path: url, method: 'POST', agent: false }, resolve)
      // A killed server does not remove the file.
      .once('error', (error: NodeJS.ErrnoException) =>
        ['ENOENT', 'ECONNREFUSED'].includes(error.code ?? '') ? resolve(null) : reject(error),
      )
      .end(body);
  });
  if (message && message.statusCode !== 200) throw new OperatorError(failureSchema.parse(await json(message)).failed);
  return message;
}

/** The running server's text for a command; null when none runs. Throws `OperatorError` when it refuses. */
export async function commandRunning(dataDir: string, args: readonly string[]): Promise<AsyncIterable<string> | null> {
  const message = await ask(dataDir, '/command', JSON.stringify({ args }));
  return message && message.setEncoding('utf8');
}

/** Hands a copy of the running server's database to `write`; null when no server runs. */
export async function dumpRunning(
  dataDir: string,
  write: (message: IncomingMessage) => Promise<void>,
): Promise<unknown> {
  const message = await ask(dataDir, '/database', '');
  if (!message) return null;
  await write(message);
  return JSON.parse(String(message.headers[LEDGER]));
}
