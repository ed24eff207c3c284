import { KEPT_MS, MAX_JOBS } from '../upstream/shared-job';
import { ERROR } from '../wire/protocol';
import { type CheckedJob, JobBook } from './job-book';
import { checkShare } from './share-check';

const MASK = 0x1fffe000;
const NTIME = 0x65000000;

const jobOf = (over: Partial<CheckedJob> = {}): Omit<CheckedJob, 'id'> => ({
  shared: { staleAt: Infinity } as CheckedJob['shared'],
  work: 'work',
  coinbaseHead: '',
  // Bits inside the mask: a share without bits has these.
  version: 0x20004000,
  versionMask: MASK,
  ntime: NTIME,
  extranonce2Size: 4,
  ...over,
});
const hex = (value: number) => value.toString(16).padStart(8, '0');
const idAfter = (id: string, steps: number) => (parseInt(id, 16) + steps).toString(16);

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('a book of jobs', () => {
  test('counts from where no other connection of the miner did', () => {
    const [one, other] = [new JobBook<CheckedJob>(), new JobBook<CheckedJob>()];
    expect(one.next).not.toBe(other.next);
    expect(one.last).toBeUndefined();
    for (let n = 0; n < 3; n += 1) {
      const { next } = one;
      expect(one.add(jobOf()).id).toBe(next.toString(16));
    }
    expect(other.get(one.last!.id)).toBeUndefined();
  });

  test('has a job for two minutes after the next one came, and knows the ids that it gave for ever', () => {
    const book = new JobBook<CheckedJob>();
    const [first, second] = [book.add(jobOf()), book.add(jobOf())];
    jest.advanceTimersByTime(KEPT_MS - 1);
    book.add(jobOf());
    expect([book.get(first.id), book.get(second.id)]).toEqual([first, second]);
    jest.advanceTimersByTime(1);
    const last = book.add(jobOf());
    // The second one was replaced only a moment ago.
    expect([book.get(first.id), book.get(second.id)]).toEqual([undefined, second]);
    jest.advanceTimersByTime(10 * KEPT_MS);
    expect(book.get(last.id)).toBe(last);
    const ids = [idAfter(first.id, -1), first.id, last.id, idAfter(last.id, 1), 'zz'];
    expect(ids.map((id) => book.gave(id))).toEqual([false, true, true, false, false]);
  });

  test('has no more jobs than it may, however fast they come', () => {
    const book = new JobBook<CheckedJob>();
    const jobs = Array.from({ length: MAX_JOBS + 1 }, () => book.add(jobOf()));
    expect(jobs.map(({ id }) => book.get(id) !== undefined).indexOf(true)).toBe(1);
  });

  test('tells a share that is found again from one that is sent again, by the latest job that it was sent for', () => {
    const book = new JobBook<CheckedJob>();
    const [a, b, other] = [jobOf(), jobOf(), jobOf({ work: 'other' })].map((job) => book.get(book.add(job).id)!);
    expect(book.ofWork('work')).toBe(b);
    const sent = [a, a, b, b, a, b, other];
    expect(sent.map((job) => book.note(job!, 'share'))).toEqual([
      ...['first', 'repeated', 'found again', 'repeated', 'repeated', 'repeated'],
      'first',
    ]);
  });
});

describe('a share', () => {
  type Sent = { id?: unknown; extranonce2?: unknown; ntime?: unknown; nonce?: unknown; bits?: unknown };
  const submit = (
    book: JobBook<CheckedJob>,
    { id = book.last?.id, extranonce2 = '00000001', ntime = hex(NTIME), nonce = hex(7), bits }: Sent = {},
  ) => checkShare(['alice.rig', id, extranonce2, ntime, nonce, bits], book);
  const bookWith = (over?: Partial<CheckedJob>) => {
    const book = new JobBook<CheckedJob>();
    book.add(jobOf(over));
    return book;
  };

  test.each<[string, Sent, number]>([
    ['as it is sent', {}, 0x20004000],
    ['without the leading zeros of its nonce', { nonce: '7' }, 0x20004000],
    ['at the latest time', { ntime: hex(NTIME + 7200) }, 0x20004000],
    ['without bits, as an empty text', { bits: '' }, 0x20004000],
    ['without bits, as null', { bits: null }, 0x20004000],
    ['with bits in place of the job’s', { bits: '2000' }, 0x20002000],
    ['with all bits', { bits: hex(MASK) }, 0x3fffe000],
  ])('%s is taken', (_, sent, version) => {
    expect(submit(bookWith(), sent)).toMatchObject({ nonce: hex(7), version });
  });

  test.each<[string, Sent, string]>([
    ['a number for the job', { id: 5 }, 'Malformed share'],
    ['a longer extranonce2', { extranonce2: '0000000001' }, 'Invalid extranonce2'],
    ['a number for the nonce', { nonce: 7 }, 'Malformed share'],
    ['an empty nonce', { nonce: '' }, 'Malformed share'],
    ['a shorter time', { ntime: '65' }, 'Malformed share'],
    ['a number for the bits', { bits: 8192 }, 'Malformed version bits'],
    ['an earlier time', { ntime: hex(NTIME - 1) }, 'Time out of range'],
    ['a time more than two hours ahead', { ntime: hex(NTIME + 7201) }, 'Time out of range'],
    ['a bit outside the mask', { bits: '1' }, 'Version bits outside the mask'],
  ])('with %s is refused, and counts towards a ban', (_, sent, message) => {
    expect(submit(bookWith(), sent)).toMatchObject({ code: ERROR.other, message, bad: true });
  });

  test('of an id that was never given counts towards a ban, a late one does not', () => {
    const book = bookWith();
    const late = book.last!.id;
    book.add(jobOf());
    jest.advanceTimersByTime(KEPT_MS);
    book.add(jobOf());
    const [never, gone] = [idAfter(late, -1), late].map((id) => submit(book, { id }));
    expect(never).toMatchObject({ code: ERROR.stale, message: 'Job not found', bad: true });
    expect(gone).toMatchObject({ code: ERROR.stale, message: 'Job not found', bad: false });
  });

  test('is stale from the moment on that the upstream names, and that is no fault of the miner', () => {
    const now = performance.now();
    const book = bookWith({ shared: { staleAt: now + 10 } as CheckedJob['shared'] });
    jest.advanceTimersByTime(9);
    expect(submit(book)).toHaveProperty('version');
    jest.advanceTimersByTime(1);
    expect(submit(book, { nonce: hex(8) })).toMatchObject({ code: ERROR.stale, message: 'Stale share', bad: false });
  });

  test('is the same in capitals, and is no fault where the same work came again', () => {
    const book = bookWith();
    expect(submit(book, { nonce: 'ab' })).toHaveProperty('version');
    expect(submit(book, { nonce: 'AB' })).toMatchObject({ code: ERROR.duplicate, bad: true });
    book.add(jobOf());
    expect(submit(book, { nonce: 'ab' })).toMatchObject({ code: ERROR.duplicate, bad: false });
    expect(submit(book, { nonce: 'ab' })).toMatchObject({ code: ERROR.duplicate, bad: true });
  });
});
