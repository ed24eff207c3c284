/** What changed from one reading of a long list to the next: a page need not get 10,000 whole workers each time. */
import { randomUUID } from 'node:crypto';
import { contract, type Worker, type WorkerNumbers } from '@pool/shared/api/contract';

/** Points of `spark` that change with every reading: the current hour, and the one before while its work is counted. */
const LIVE_POINTS = 2;
/** Readings that changes are known since: those of some minutes. */
const MAX_READINGS = 100;

const { workers, numbers } = contract['GET /liveWorkers/'].response.shape;
/** Compared by themselves, or the same in all readings. */
const OTHERS: ReadonlySet<string> = new Set(['id', 'account', 'spark']);
const fieldsOf = ({ shape }: { shape: object }) =>
  Object.keys(shape).filter((field) => !OTHERS.has(field)) as Exclude<keyof Worker, 'spark'>[];
const NUMBERS = fieldsOf(numbers.unwrap().element);
const FACTS = fieldsOf(workers.element).filter((field) => !NUMBERS.includes(field));

/** `readings`: from the first to this one. By row, in which reading its numbers, or anything else, changed last. */
type Marks = { series: string; readings: number[]; numbers: number[]; rows: number[] };

const sameNumbers = (a: Worker, b: Worker): boolean =>
  NUMBERS.every((field) => a[field] === b[field]) &&
  a.spark.slice(-LIVE_POINTS).every((point, i) => point === b.spark.at(i - LIVE_POINTS));
const sameFacts = (a: Worker, b: Worker): boolean =>
  FACTS.every((field) => a[field] === b[field]) &&
  a.spark.every((point, i) => i >= a.spark.length - LIVE_POINTS || point === b.spark[i]);

const numbersOf = (worker: Worker): WorkerNumbers =>
  ({
    id: worker.id,
    ...Object.fromEntries(NUMBERS.map((field) => [field, worker[field]])),
    spark: worker.spark.slice(-LIVE_POINTS),
  }) as WorkerNumbers;

export class ListChanges {
  private readonly marks = new WeakMap<readonly Worker[], Marks>();
  private reading = 0;

  /** Marks what is different from the reading before. With other workers a new series begins. */
  follow(list: readonly Worker[], before: readonly Worker[] | null = null): void {
    const now = (this.reading += 1);
    const known = before && this.marks.get(before);
    if (!before || !known || before.length !== list.length || before.some(({ id }, i) => id !== list[i]?.id)) {
      const first = list.map(() => now);
      this.marks.set(list, { series: randomUUID(), readings: [now], numbers: first, rows: first });
      return;
    }
    const changed = (marks: number[], same: (a: Worker, b: Worker) => boolean): number[] =>
      list.map((worker, i) => {
        const old = before[i];
        return old && same(worker, old) ? (marks[i] ?? now) : now;
      });
    this.marks.set(list, {
      series: known.series,
      readings: [...known.readings.slice(1 - MAX_READINGS), now],
      numbers: changed(known.numbers, sameNumbers),
      rows: changed(known.rows, sameFacts),
    });
  }

  version(list: readonly Worker[]): string | undefined {
    const known = this.marks.get(list);
    return known && `${known.series}.${known.readings.at(-1)}`;
  }

  /** Null when the version is of another series, or too old. */
  since(list: readonly Worker[], version: string): { workers: Worker[]; numbers: WorkerNumbers[] } | null {
    const known = this.marks.get(list);
    const at = known?.readings.find((reading) => version === `${known.series}.${reading}`);
    if (!known || at === undefined) return null;
    const isNew = (marks: number[], i: number): boolean => (marks[i] ?? Infinity) > at;
    return {
      workers: list.filter((_, i) => isNew(known.rows, i)),
      numbers: list.filter((_, i) => isNew(known.numbers, i) && !isNew(known.rows, i)).map(numbersOf),
    };
  }
}
