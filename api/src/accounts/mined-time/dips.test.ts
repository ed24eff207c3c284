import { dipsIn } from './mined-time';

const STEP = 600;
const FROM = 1_795_000_200;
const at = (step: number) => FROM + step * STEP;
const day = (changes: Record<number, number | null> = {}) => ({
  from: FROM,
  step: STEP,
  accepted: Array.from({ length: 144 }, (_, i) => (i in changes ? (changes[i] ?? null) : 100)),
});
const MANY = 144_000;

test('a dip is as long as the steps below, a gap is a part of it, and what is missed is summed', () => {
  expect(dipsIn(day({ 30: 40, 31: null, 32: null, 33: 70, 90: 85 }), MANY, [])).toEqual([
    { at: at(30), until: at(34), missed: (60 + 100 + 100 + 30) * STEP },
  ]);
});

test('with few shares a low step is chance', () => {
  const low = day({ 30: 40, 60: null, 61: null });
  expect(dipsIn(low, 144 * 36, []).map((dip) => dip.at)).toEqual([at(60)]);
  expect(dipsIn(low, 144 * 15, [])).toEqual([]);
});

test('the time of the server’s absence is its own, also where what was mined beside it looks usual', () => {
  const away = { from: at(50) + 60, until: at(51) + 300 };
  expect(dipsIn(day({ 51: null, 53: 0 }), MANY, [away])).toEqual([
    { at: away.from, until: away.until, missed: 100 * 840 },
    { at: at(53), until: at(54), missed: 100 * STEP },
  ]);
});

test('before the first share, and with none, there are no dips', () => {
  const begun = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [i, null]));
  expect(dipsIn(day(begun), MANY, [])).toEqual([]);
  expect(dipsIn({ ...day(), accepted: Array<null>(144).fill(null) }, 0, [])).toEqual([]);
});
