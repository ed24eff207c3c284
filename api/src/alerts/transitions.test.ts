import { outageNow, type Outage } from './outage';
import { advance, AGAIN_AFTER_S, isOver, NOTHING, type Say, type Seen, type Watch } from './transitions';

const trouble: Seen = { state: 'trouble' };
const fine: Seen = { state: 'fine' };
const unclear: Seen = { state: 'unclear' };

/** One look a minute, from minute 0 on; answers what was said, and when. */
function watch(
  looks: readonly Seen[],
  { muted = () => false, first = NOTHING }: { muted?: (minute: number) => boolean; first?: Watch } = {},
): { said: [number, Say][]; last: Watch } {
  const said: [number, Say][] = [];
  let last: Watch = first;
  looks.forEach((seen, minute) => {
    const next = advance(last, seen, minute * 60, { muted: muted(minute), lastAlertAt: last.toldAt });
    last = next.watch;
    if (next.say) said.push([minute, next.say]);
  });
  return { said, last };
}
const times = (n: number, seen: Seen): Seen[] => Array<Seen>(n).fill(seen);

describe('an alert', () => {
  it('is told once, after ten minutes of trouble, and its end after five', () => {
    expect(watch([...times(3, fine), ...times(30, trouble), ...times(10, fine)]).said).toEqual([
      [13, 'alert'],
      [38, 'recovered'],
    ]);
  });

  it('is not told of nine minutes, nor of ten with a break', () => {
    expect(watch([...times(10, trouble), ...times(20, fine)]).said).toEqual([]);
    expect(watch([...times(8, trouble), fine, ...times(8, trouble), fine]).said).toEqual([]);
  });

  it('counts from where the trouble is known to have begun', () => {
    const { said } = watch([{ state: 'trouble', since: -600 }]);
    expect(said).toEqual([[0, 'alert']]);
  });

  it('ends only where it is fine for five minutes on end', () => {
    expect(
      watch([...times(11, trouble), ...times(4, fine), ...times(2, trouble), ...times(5, fine), trouble]).said,
    ).toEqual([[10, 'alert']]);
  });

  it('comes once an hour at most, and what is still there after the hour is told then', () => {
    const flap = [...times(12, trouble), ...times(8, fine)];
    const { said } = watch([...flap, ...flap, ...flap, ...times(30, trouble)]);
    expect(said).toEqual([
      [10, 'alert'],
      [17, 'recovered'],
      [70, 'alert'],
    ]);
    // Gone before the hour is over: never told.
    expect(watch([...flap, ...flap, ...times(60, fine)]).said).toEqual([
      [10, 'alert'],
      [17, 'recovered'],
    ]);
  });

  it('stands still while nothing can be said', () => {
    expect(watch([...times(9, trouble), ...times(60, unclear), trouble]).said).toEqual([[69, 'alert']]);
    expect(watch([...times(11, trouble), fine, ...times(30, unclear)]).said).toEqual([[10, 'alert']]);
  });

  it('is not told of a muted worker, nor when it is unmuted in the middle of it', () => {
    const looks = [...times(40, trouble), ...times(10, fine), ...times(20, trouble)];
    expect(watch(looks, { muted: () => true }).said).toEqual([]);
    expect(watch(looks, { muted: (minute) => minute < 20 }).said).toEqual([[60, 'alert']]);
  });

  it('is remembered for its hour, and no longer', () => {
    const { last } = watch([...times(11, trouble), ...times(10, fine)]);
    expect([isOver(last, 1200), isOver(last, 600 + AGAIN_AFTER_S), isOver(NOTHING, 0)]).toEqual([false, true, true]);
  });
});

describe('an outage of the pool', () => {
  /** One look a minute. */
  const run = (looks: readonly [healthy: boolean, before: number, recent: number][]): boolean[] => {
    let outage: Outage | undefined;
    return looks.map(([healthy, before, recent], minute) => {
      outage = outageNow(outage, healthy, { before, recent }, minute * 60);
      return outage !== undefined;
    });
  };

  it('is what no upstream that works is, whoever mines', () => {
    expect(
      run([
        [true, 1, 1],
        [false, 1, 1],
        [false, 0, 0],
        [true, 1, 1],
      ]),
    ).toEqual([false, true, true, false]);
  });

  it('is when most of many miners fall silent, until they are back', () => {
    expect(
      run([
        [true, 8, 8],
        [true, 8, 1],
        [true, 0, 0],
        [true, 1, 1],
        [true, 2, 2],
      ]),
    ).toEqual([false, true, true, true, false]);
  });

  it('is not one miner, or some of them', () => {
    expect(
      run([
        [true, 1, 0],
        [true, 4, 0],
        [true, 8, 2],
        [true, 100, 60],
      ]),
    ).toEqual([false, false, false, false]);
  });

  it('is how things are after two hours', () => {
    const looks = Array.from({ length: 125 }, (_, minute): [boolean, number, number] => [true, minute < 15 ? 9 : 0, 0]);
    expect(run(looks).indexOf(false)).toBe(120);
  });
});
