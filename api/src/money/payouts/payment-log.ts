/**
 * What was answered about payments, in a file of DATA_DIR that no failover and no restored database takes back:
 * `payments.jsonl`, a line for each change, on the disk before its author gets the answer. `restore-marks.ts` compares.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Querier, rowsOf, valuesOf } from '../../platform/db/querier';

const CALL = 'payment marks';
/** Age of the oldest payment that a new process writes down from the database. */
const SINCE_DAYS = 30;

type Options = {
  wire: {
    answer(call: string, answer: (marks: PaymentMark[]) => unknown): void;
    ask(call: string, marks: readonly PaymentMark[], nodes: readonly string[]): Promise<unknown[]>;
  };
  /** The others that live. */
  others(): string[];
  warn(facts: object, message: string): void;
};

/**
 * Several processes: each writes to its own `payments.jsonl` what any of them answers about payments, so that none of
 * their folders is the only one that knows what a failover has taken back.
 */
export function shareLog(log: PaymentLog, { wire, others, warn }: Options): void {
  wire.answer(CALL, (marks) => {
    log.hear(marks);
    return true;
  });
  log.tell = async (marks) => {
    const nodes = others();
    const { length } = await wire.ask(CALL, marks, nodes);
    if (length < nodes.length)
      warn({ nodes: nodes.length, confirmed: length }, 'not all processes have written down an answer about payments');
  };
}

/** What others have answered before this process was there. */
export async function learnMarks(db: Querier, log: PaymentLog): Promise<void> {
  const ids = await valuesOf<number>(db)`
    select id from payment
    where status = any(${HANDED_OVER})
      and greatest(created_at, queued_at) > now() - make_interval(days => ${SINCE_DAYS})`;
  log.hear(await marksOf(db, ids));
}

export const PAYMENT_LOG = 'payments.jsonl';

const markSchema = z.object({
  key: z.string(),
  id: z.int(),
  version: z.int(),
  status: z.string(),
  subAccountId: z.int(),
  account: z.string(),
  trigger: z.string(),
  periodFrom: z.string(),
  periodTo: z.string(),
  amountSat: z.int(),
  address: z.string().nullable(),
  txid: z.string().nullable(),
  /** Unix seconds. */
  createdAt: z.number(),
});
/** A payment as it was when a change of it was answered. */
export type PaymentMark = z.infer<typeof markSchema>;

/** States of payments that somebody may have sent. */
export const HANDED_OVER = ['unknown', 'sent', 'confirmed'];

export async function marksOf(db: Querier, ids: readonly number[]): Promise<PaymentMark[]> {
  return rowsOf<PaymentMark>(db)`
    select p.key::text as key, p.id, p.version, p.status, p.sub_account_id, s.name as account, p.trigger,
      p.period_from, p.period_to, p.amount_sat, p.address, p.txid,
      extract(epoch from p.created_at)::float8 as created_at
    from payment p
    join sub_account s on s.id = p.sub_account_id
    where p.id = any(${ids}::int[])
    order by p.id`;
}

export class PaymentLog {
  private readonly latest = new Map<string, PaymentMark>();
  /** The highest number that a payment has had. */
  maxId = 0;
  /** Tells other processes what was recorded, and waits until they have written it down; by default there are none. */
  tell: (marks: readonly PaymentMark[]) => Promise<void> = async () => undefined;

  private constructor(private readonly file: string | null) {}

  /** Reads the log of a DATA_DIR; null: a log in memory, for tests. A line that a crash cut off was never answered. */
  static open(dataDir: string | null): PaymentLog {
    const log = new PaymentLog(dataDir === null ? null : join(dataDir, PAYMENT_LOG));
    if (log.file === null || !existsSync(log.file)) return log;
    for (const line of readFileSync(log.file, 'utf8').split('\n')) {
      const mark = parsed(line);
      if (mark) log.note(mark);
    }
    return log;
  }

  marks(): PaymentMark[] {
    return [...this.latest.values()];
  }

  /** Writes what has changed to the disk, and returns then. Throws when it cannot: then nothing may be answered. */
  record(marks: readonly PaymentMark[]): void {
    const changed = marks.filter(({ key, version }) => this.latest.get(key)?.version !== version);
    if (changed.length === 0) return;
    // The empty line ends what a crash may have cut off.
    const lines = `\n${changed.map((mark) => JSON.stringify(mark)).join('\n')}\n`;
    if (this.file !== null) appendFileSync(this.file, lines, { mode: 0o600, flush: true });
    changed.forEach((mark) => this.note(mark));
  }

  /** Records what another process has: it may be older than what is known here. */
  hear(marks: readonly PaymentMark[]): void {
    this.record(marks.filter(({ key, version }) => version > (this.latest.get(key)?.version ?? 0)));
  }

  private note(mark: PaymentMark): void {
    this.latest.set(mark.key, mark);
    this.maxId = Math.max(this.maxId, mark.id);
  }
}

function parsed(line: string): PaymentMark | undefined {
  try {
    return markSchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
