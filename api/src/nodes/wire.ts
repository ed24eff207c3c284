/**
 * Messages between the processes that share a database, by NOTIFY on one channel. They tell that something happened, or
 * ask what another process knows; one may be lost, so what matters is read again from time to time. Never sent inside a
 * transaction: NOTIFY takes a lock of the whole database at its commit.
 */
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from '../platform/log';
import { connect } from '../platform/db/connect';
import { inTime } from '../platform/in-time';
import { sessionOf } from '../platform/db/server-lock';
import { raw, sql } from '../platform/db/querier';

const CHANNEL = 'pool_nodes';
/** PostgreSQL refuses payloads of 8000 bytes. */
const PART = 7000;
const RETRY_MS = 1000;
const ANSWER_MS = 1500;
/** Parts of messages whose others were lost. */
const MAX_OPEN = 1000;

type Listener = (body: unknown, from: string) => void;
type Ask = { id: string; call: string; args: unknown };
type Answer = { id: string; result: unknown };

export type WireOptions = {
  url: string;
  pool: pg.Pool;
  id: string;
  log: Logger;
};

/** Only ASCII, so that a part's length is its bytes. */
const ascii = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

export class Wire {
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly open = new Map<string, string[]>();
  private readonly waiting = new Map<string, (from: string, result: unknown) => void>();
  private client: pg.Client | null = null;
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;

  constructor(private readonly options: WireOptions) {
    this.on('answer', (body, from) => {
      const { id, result } = body as Answer;
      this.waiting.get(id)?.(from, result);
    });
  }

  on(kind: string, listener: Listener): void {
    const all = this.listeners.get(kind) ?? new Set();
    this.listeners.set(kind, all.add(listener));
  }

  /** Sends to all other nodes. A message that cannot be sent is lost. */
  send(kind: string, body: unknown): void {
    const message = randomBytes(4).toString('hex');
    const text = ascii({ kind, body });
    const parts = Math.ceil(text.length / PART);
    const payloads = Array.from(
      { length: parts },
      (_, n) => `${this.options.id} ${message} ${n} ${parts} ${text.slice(n * PART, (n + 1) * PART)}`,
    );
    this.options.pool
      .query(sql`select pg_notify('${raw(CHANNEL)}', part) from unnest(${payloads}::text[]) part`)
      .catch((error: unknown) => this.options.log.warn({ err: error, kind }, 'the other nodes were not told'));
  }

  answer(call: string, answer: (args: never) => unknown): void {
    this.on('ask', (body) => {
      const { id, call: asked, args } = body as Ask;
      if (asked !== call) return;
      void (async () => this.send('answer', { id, result: await answer(args as never) } satisfies Answer))().catch(
        (error: unknown) => this.options.log.warn({ err: error, call }, 'another node got no answer'),
      );
    });
  }

  /** What these nodes answer; who does not within a moment is left out. */
  async ask<T>(call: string, args: unknown, nodes: readonly string[]): Promise<T[]> {
    if (nodes.length === 0) return [];
    const id = randomBytes(8).toString('hex');
    const answers = new Map<string, T>();
    const all = new Promise<void>((resolve) => {
      this.waiting.set(id, (from, result) => {
        answers.set(from, result as T);
        if (nodes.every((node) => answers.has(node))) resolve();
      });
    });
    this.send('ask', { id, call, args } satisfies Ask);
    await inTime(all, ANSWER_MS).catch(() => undefined);
    this.waiting.delete(id);
    return [...answers.values()];
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    const { client } = this;
    this.client = null;
    await client?.end().catch(() => undefined);
  }

  async start(): Promise<void> {
    const { url, log } = this.options;
    if (this.stopped) return;
    let client: pg.Client | undefined;
    const again = (): void => {
      if (this.client !== null && this.client !== client) return;
      this.client = null;
      if (!this.stopped) this.timer = setTimeout(() => void this.start(), RETRY_MS);
    };
    try {
      const own = (client = await connect({ connectionString: url, ...sessionOf('listens') }));
      own.on('notification', ({ payload }) => this.receive(payload ?? ''));
      await own.query(`listen ${CHANNEL}`);
      this.client = own;
      own.once('end', again);
      // Messages were missed while disconnected: listeners read everything again.
      this.emit('gap', null, '');
    } catch (error) {
      log.warn({ err: error }, 'messages of the other nodes are not heard');
      await client?.end().catch(() => undefined);
      again();
    }
  }

  private receive(payload: string): void {
    const [from = '', message = '', n = '', parts = ''] = payload.split(' ', 4);
    if (from === this.options.id) return;
    const text = payload.slice(from.length + message.length + n.length + parts.length + 4);
    const key = `${from} ${message}`;
    const found = this.open.get(key) ?? [];
    found[Number(n)] = text;
    if (Object.keys(found).length < Number(parts)) {
      this.open.set(key, found);
      const [oldest] = this.open.keys();
      if (this.open.size > MAX_OPEN && oldest !== undefined) this.open.delete(oldest);
      return;
    }
    this.open.delete(key);
    const { kind, body } = JSON.parse(found.join('')) as { kind: string; body: unknown };
    this.emit(kind, body, from);
  }

  private emit(kind: string, body: unknown, from: string): void {
    for (const listener of this.listeners.get(kind) ?? []) listener(body, from);
  }
}
