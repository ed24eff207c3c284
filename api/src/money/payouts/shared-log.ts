/**
 * Several processes: each writes to its own `payments.jsonl` what any of them answers about payments, so that none of
 * their folders is the only one that knows what a failover has taken back.
 */
import { type Querier, sql } from '../../platform/db/querier';
import { HANDED_OVER, marksOf, type PaymentLog, type PaymentMark } from './payment-log';

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
  const { rows } = await db.query<{ id: number }>(sql`
    select id from payment
    where status = any(${HANDED_OVER})
      and greatest(created_at, queued_at) > now() - make_interval(days => ${SINCE_DAYS})`);
  log.hear(
    await marksOf(
      db,
      rows.map(({ id }) => id),
    ),
  );
}
