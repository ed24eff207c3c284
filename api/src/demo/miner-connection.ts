/** A miner's connection to a pool: calls with their answers, and messages. Shares no code with the pool's side on purpose. */
import type { Socket } from 'node:net';

export type Answer = { result: unknown; error: unknown };
export type Listener = {
  message(method: string, params: unknown[]): void;
  /** Any line of the pool, also an answer. */
  line?(line: string): void;
  closed(): void;
};
/** What a miner says of itself when it has connected. */
export type Greeting = {
  software: string;
  user: string;
  password?: string;
  /** Version bits that it wants to roll, in hex. */
  mask?: string;
  difficulty?: number;
};

export class MinerConnection {
  extranonce1: Buffer = Buffer.alloc(0);
  extranonce2Size = 4;
  mask = 0;
  private nextId = 1;
  private ending = false;
  private readonly waiting = new Map<number, (answer: Answer | null) => void>();

  constructor(
    private readonly socket: Socket,
    private readonly listener: Listener,
  ) {
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    let rest = '';
    socket.setEncoding('utf8').on('data', (data) => {
      const lines = (rest + data.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.read(line);
    });
    socket.on('close', () => {
      const waiting = [...this.waiting.values()];
      this.waiting.clear();
      for (const done of waiting) done(null);
      listener.closed();
    });
  }

  get unanswered(): number {
    return this.waiting.size;
  }

  /** Resolves with the answer, null when the connection ended first. */
  call(method: string, params: unknown[]): Promise<Answer | null> {
    const id = this.nextId++;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.send({ id, method, params });
    });
  }

  send(message: object): void {
    this.socket.write(`${JSON.stringify(message)}\n`);
  }

  /** Resolves with whether the pool knows the user; null when the connection ended first. */
  async greet({ software, user, password = 'x', mask, difficulty }: Greeting): Promise<boolean | null> {
    if (mask) await this.configure(mask);
    if (!(await this.subscribe(software))) return null;
    if (difficulty !== undefined) await this.call('mining.suggest_difficulty', [difficulty]);
    const answer = await this.call('mining.authorize', [user, password]);
    return answer && answer.result === true;
  }

  async configure(mask: string): Promise<void> {
    const wanted = { 'version-rolling.mask': mask, 'version-rolling.min-bit-count': 2 };
    const granted = ((await this.call('mining.configure', [['version-rolling'], wanted]))?.result ?? {}) as Record<
      string,
      unknown
    >;
    this.mask = granted['version-rolling'] === true ? Number(`0x${String(granted['version-rolling.mask'])}`) : 0;
  }

  async subscribe(software: string): Promise<boolean> {
    const answer = await this.call('mining.subscribe', [software]);
    if (!Array.isArray(answer?.result)) return false;
    this.extranonce1 = Buffer.from(String(answer.result[1]), 'hex');
    this.extranonce2Size = Number(answer.result[2]);
    return true;
  }

  /** Ends the connection when all calls have their answers. */
  endAfterAnswers(): void {
    this.ending = true;
    if (this.waiting.size === 0) this.socket.end();
  }

  private read(line: string): void {
    this.listener.line?.(line);
    const { id, method, params, result, error } = JSON.parse(line) as {
      id: number | null;
      method?: string;
      params?: unknown[];
      result?: unknown;
      error?: unknown;
    };
    if (method === 'mining.set_version_mask') this.mask = Number(`0x${String(params?.[0])}`);
    if (method !== undefined) return this.listener.message(method, params ?? []);
    const done = this.waiting.get(Number(id));
    this.waiting.delete(Number(id));
    done?.({ result: result ?? null, error: error ?? null });
    if (this.ending && this.waiting.size === 0) this.socket.end();
  }
}
