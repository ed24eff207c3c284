/** Where the rules of variable difficulty begin and end. A difficulty of a power of two keeps each number exact. */
import { Vardiff } from './vardiff';

const START = 1024;
const SETTINGS = { max: 2 ** 20, targetSeconds: 6, fastestSeconds: 1 / 8 };
const MACHINE = { start: START, floor: 1, search: { seconds: 2, factor: 1 / 32 }, isKnown: false };

let pool: Vardiff;
let now: number;
beforeEach(() => {
  now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  pool = new Vardiff(SETTINGS, MACHINE);
});
afterEach(() => jest.restoreAllMocks());

/** The difficulty after so many shares of it, each so many seconds after the one before. */
const shares = (count: number, seconds: number): number => {
  for (let i = 0; i < count; i += 1) {
    const before = pool.difficulty;
    now += 1000 * seconds;
    expect(pool.share(before)).toBe(pool.difficulty !== before);
  }
  return pool.difficulty;
};
/** The difficulty when the last share is so many seconds ago. */
const silence = (seconds: number): number => {
  const before = pool.difficulty;
  expect(pool.tick(now + 1000 * seconds)).toBe(pool.difficulty !== before);
  return pool.difficulty;
};

describe('shares', () => {
  // The first are to come each 1.5 s.
  it.each([
    ['seven tell nothing', 7, 0.1, START],
    ['less than twice as fast is no reason', 8, 0.76, START],
    ['twice as fast is', 8, 0.75, 2 * START],
    ['the largest step is four', 8, 0.25, 4 * START],
    ['but for a flood', 8, 0.125, 12 * START],
    ['which begins at eight', 8, 0.1875, 8 * START],
    ['more than half as fast is no reason', 8, 2.99, START],
    ['half as fast is', 8, 3, START / 2],
    ['the largest step down is four', 8, 15, START / 4],
    ['there is a most', 8, 1e-9, 2 ** 20],
    ['also where they come at once', 8, 0, 2 ** 20],
  ])('%s', (_, count, seconds, difficulty) => expect(shares(count, seconds)).toBe(difficulty));

  it('from the 64th on are to come each 6 s', () =>
    expect([shares(63, 1.5), shares(1, 1.5), pool.isKnown]).toEqual([START, 4 * START, true]));

  it('make a machine of unknown software known, eight of them, or its wish does', () => {
    expect([pool.isKnown, shares(7, 1.5), pool.isKnown, shares(1, 1.5), pool.isKnown]).toEqual([
      false,
      START,
      false,
      START,
      true,
    ]);
    const asking = new Vardiff(SETTINGS, MACHINE);
    asking.ask(7);
    expect([asking.isKnown, new Vardiff(SETTINGS, { ...MACHINE, isKnown: true }).isKnown]).toEqual([true, true]);
  });

  it('of long ago weigh little: another pace is seen after as many, however many were before', () => {
    const seenAfter = (before: number): number => {
      pool = new Vardiff(SETTINGS, MACHINE);
      shares(64, 1.5);
      expect(shares(before, 6)).toBe(4 * START);
      for (let count = 1; ; count += 1) if (shares(1, 2) !== 4 * START) return count;
    };
    expect([seenAfter(1000), seenAfter(100)]).toEqual([49, 49]);
  });

  it('of an older job say nothing of the pace, but a harder one, while nothing else is known, that the search went too far', () => {
    pool.tick((now += 2000));
    expect(pool.difficulty).toBe(32);
    expect([pool.share(16), pool.difficulty, pool.share(START), pool.difficulty]).toEqual([false, 32, true, START]);
    // The next is counted from here.
    now += 9000;
    expect(pool.share(32)).toBe(false);
    shares(1, 1.5);
    expect([pool.share(2 * START), shares(7, 1.5)]).toEqual([false, START]);
  });
});

describe('silence', () => {
  it('before the first share is a step of the search each time, down to the floor', () => {
    pool.rest(3000);
    expect([silence(4.999), silence(5)]).toEqual([START, 32]);
    now += 5000;
    expect([silence(1.999), silence(2)]).toEqual([32, 1]);
  });

  it('of a machine that had a share of an older job is searched slowly', () => {
    pool.share(START / 2);
    expect([silence(19.999), silence(20)]).toEqual([START, 307]);
  });

  // At most 2 + 2 √2 + 3 shares were to be expected in the time of two; the difficulty is wrong by four.
  it.each([
    ['after two shares: as long as luck explains', 2, 0.5, 45.9, START],
    ['after two shares: longer', 2, 0.5, 46, 256],
    ['after seven shares: as long as luck explains', 7, 0.5, 59, START],
    ['after eight shares: as long as it is wrong by less than two', 8, 1.5, 11.99, START],
    ['after eight shares: wrong by two', 8, 1.5, 12, START / 2],
    ['after shares that came twice too fast nothing is raised', 7, 0.5, 0.1, START],
  ])('%s', (_, count, seconds, silent, difficulty) => {
    shares(count, seconds);
    expect(silence(silent)).toBe(difficulty);
  });

  it('of ten times the pace proves a lower one, however many shares were before, and the search begins again', () => {
    shares(64, 1.5);
    shares(100, 6);
    expect([silence(60), silence(60.001)]).toEqual([4 * START, 1229]);
    now += 60_001;
    expect([silence(19.999), silence(20)]).toEqual([1229, 369]);
  });
});

describe('what the miner asks for', () => {
  it('is taken before the first share only', () => {
    now = 5000;
    expect([pool.ask(START), pool.ask(7.4), pool.difficulty]).toEqual([false, true, 7]);
    shares(1, 1);
    expect([pool.ask(9), pool.difficulty]).toEqual([false, 7]);
  });

  it('outlasts the name of its software, which is the start without it', () => {
    pool.setMachine({ ...MACHINE, start: 64 });
    expect(pool.difficulty).toBe(64);
    pool.ask(16);
    pool.setMachine({ ...MACHINE, start: 128 });
    expect(pool.difficulty).toBe(16);
  });

  it('is searched below after a minute without a share, and as any other from then on', () => {
    now = 5000;
    pool.ask(100);
    expect([silence(59.999), silence(60)]).toEqual([100, 30]);
    now += 60_000;
    expect([silence(1.999), silence(2)]).toEqual([30, 1]);
  });

  it('stays for five minutes of silence after shares, whatever their pace; then the search begins', () => {
    pool.ask(100);
    shares(20, 20);
    expect([silence(300), silence(300.001)]).toEqual([100, 30]);
    now += 300_001;
    expect([silence(19.999), silence(20)]).toEqual([30, 9]);
  });

  // Seventeen shares may be luck: the expected number in their time is at least 17 - 2 √17.
  it.each([
    ['stays at fifty a second', 1000, 0.02, 100],
    ['stays through a burst of luck', 16, 0.0101, 100],
    ['is changed by what comes faster for certain', 17, 0.01, 15_000],
  ])('%s', (_, count, seconds, difficulty) => {
    pool.ask(100);
    expect(shares(count, seconds)).toBe(difficulty);
  });
});

it('one that is fixed never changes', () => {
  pool.fixed = true;
  expect([shares(50, 0.01), silence(1000), pool.share(2 * START)]).toEqual([START, START, false]);
  pool.held = true;
  pool.release();
  expect(pool.difficulty).toBe(START);
});

describe('while a change would cost the miner', () => {
  it.each([
    ['one is held until it is free', 0.2, START, 4 * START],
    ['a flood is worth it', 0.1875, 8 * START, 8 * START],
    ['so is no silence after a share', 15, START, START / 4],
  ])('%s', (_, seconds, held, free) => {
    pool.held = true;
    expect(shares(8, seconds)).toBe(held);
    pool.release();
    expect([pool.difficulty, pool.held]).toEqual([free, false]);
  });

  it('a silent miner is lowered when it is free, one without a share at once', () => {
    shares(8, 1.5);
    pool.held = true;
    expect(silence(61)).toBe(START);
    pool.release(now + 61_000);
    expect(pool.difficulty).toBe(307);
    const unproven = new Vardiff(SETTINGS, MACHINE);
    unproven.held = true;
    expect([unproven.tick(now + 2000), unproven.difficulty]).toEqual([true, 32]);
  });

  it('nothing is made good that was not held', () => {
    shares(8, 1.5);
    pool.release(now + 50_000);
    expect(pool.difficulty).toBe(START);
  });
});

describe('the upstream counts no more than', () => {
  // At the least eight shares a second, of which each is a 48th of what suits the miner.
  it.each([
    ['its difficulty: the miner gets that', 512, 512],
    ['more than suits: the miner gets what suits', 2048, START],
    ['so little that the miner would flood it: less than suits, and no flood', 1, 21],
  ])('%s', (_, most, difficulty) => {
    pool.limit(most);
    expect([pool.difficulty, pool.wanted]).toEqual([difficulty, START]);
  });

  it('what is no flood any more is left within a factor of two, as each change makes other work', () => {
    pool.limit(1);
    const after = (start: number): number => {
      pool.setMachine({ ...MACHINE, start });
      return pool.difficulty;
    };
    expect([after(1.9 * START), after(START / 1.9), after(2.1 * START), after(START)]).toEqual([21, 21, 45, 21]);
    // Fifty times too fast at 21: 1050 would suit.
    expect(shares(8, 0.03)).toBe(21);
    pool.limit(30);
    expect(pool.difficulty).toBe(30);
  });
});

it.each([
  [1.5, 2],
  [1, 1],
  [0.99951, 1],
  [0.123456, 0.123],
  [1234.4, 1234],
])('whole numbers above one, three digits below: %d is %d', (start, difficulty) => {
  pool.setMachine({ ...MACHINE, floor: 1e-7, start });
  expect(pool.difficulty).toBe(difficulty);
});
