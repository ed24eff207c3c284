/** PGlite behind a unix socket. What has come is run in one go: a message at a time costs more than a statement. */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { PGlite } from '@electric-sql/pglite';

type Work = { from: Socket; messages: Uint8Array };

const MAX_CONNECTIONS = 8;
/** Number in place of the protocol's version, at the beginning of a connection. */
const SSL_REQUEST = 80_877_103;
const CANCEL_REQUEST = 80_877_102;
const TERMINATE = 'X'.charCodeAt(0);
const ROLLBACK = Buffer.from('Q\0\0\0\rrollback\0');

/** The whole messages at the beginning of `bytes`, without Terminate: PGlite would end. */
function* messagesIn(bytes: Uint8Array): Generator<Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let start = 0; start + 5 <= bytes.length && bytes[start] !== TERMINATE;) {
    // The first message of a connection has no type.
    const end = start + (bytes[start] === 0 ? view.getInt32(start) : 1 + view.getInt32(start + 1));
    if (end > bytes.length) return;
    yield bytes.subarray(start, end);
    start = end;
  }
}

export async function serveDatabase(db: PGlite, path: string): Promise<Server> {
  let queue: Work[] = [];
  let last: Socket | null = null;
  let isRunning = false;

  const runAll = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    for (;;) {
      // There is one session: while it is in a transaction, what other connections want waits.
      const at = db.isInTransaction() ? queue.findIndex(({ from }) => from === last) : 0;
      const [work] = at === -1 ? [] : queue.splice(at, 1);
      if (!work) break;
      last = work.from;
      const parts: Buffer[] = [];
      try {
        await db.runExclusive(() =>
          // A part is PGlite's own memory.
          db.execProtocolRawStream(work.messages, { onRawData: (part) => parts.push(Buffer.from(part)) }),
        );
        if (work.from.writable) work.from.write(Buffer.concat(parts));
      } catch {
        work.from.destroy();
      }
    }
    isRunning = false;
  };
  const add = (from: Socket, messages: Uint8Array): void => {
    queue.push({ from, messages });
    void runAll();
  };

  const server = createServer((socket) => {
    let bytes = Buffer.alloc(0);
    let isOpen = false;
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (!isOpen && bytes.length >= 8) {
        const code = bytes.readInt32BE(4);
        if (code === CANCEL_REQUEST) return void socket.destroy();
        if (code === SSL_REQUEST) {
          socket.write('N');
          bytes = bytes.subarray(8);
        }
      }
      const messages = Buffer.concat([...messagesIn(bytes)]);
      if (messages.length === 0) return;
      isOpen = true;
      bytes = bytes.subarray(messages.length);
      add(socket, messages);
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      queue = queue.filter(({ from }) => from !== socket);
      // What it has begun and not committed.
      if (isOpen) add(socket, ROLLBACK);
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  await once(server.listen(path), 'listening');
  return server;
}
