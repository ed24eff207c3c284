/**
 * Helper of fault tests: which alarms of docs/monitoring fire, and when. The servers' own metrics are read before the
 * fault and during it, and Prometheus evaluates the rules on them: what was read first stands for twenty healthy
 * minutes, and the fault goes on for half an hour as it was read last, what grows with it grown on.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../../root';

/** Seconds between two readings. */
export const STEP_S = 5;
const HEALTHY_STEPS = 240;
const GOES_ON_STEPS = 360;
/** Readings back that an age is looked for over. */
const AGE_STEPS = [1, 2, 3, 4];
const SCRAPE_TIMEOUT_MS = 10_000;

const RULES = join(ROOT, 'docs/monitoring/alerts.yml');
const NAMED = new Set(readFileSync(RULES, 'utf8').match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g));
const LINE = /^([a-z][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/gm;
const FIRING = 'sum by (alertname) (ALERTS{alertstate="firing"})';

type Reading = { at: number; values: Map<string, number> };

async function read(url: string, instance: string): Promise<[string, number][]> {
  const own = `job="pool",instance="${instance}"`;
  try {
    const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(SCRAPE_TIMEOUT_MS) });
    const text = await answer.text();
    const series = [...text.matchAll(LINE)].flatMap(([, name = '', labels, value]): [string, number][] =>
      NAMED.has(name) ? [[`${name}{${labels ? `${labels},` : ''}${own}}`, Number(value)]] : [],
    );
    return [[`up{${own}}`, 1], ...series];
  } catch {
    return [[`up{${own}}`, 0]];
  }
}

const isCounter = (series: string): boolean => /_(?:total|bucket|count)\{/.test(series);
/** Prometheus counts from 0 here. */
const isTime = (series: string): boolean => /_timestamp_seconds\{/.test(series);

export class Alarms {
  private readonly readings: Reading[] = [];

  /** `urls`: of the servers, by name. The first reading is the healthy one. */
  constructor(private readonly urls: ReadonlyMap<string, string>) {}

  async read(): Promise<void> {
    const all = await Promise.all([...this.urls].map(([name, url]) => read(url, name)));
    this.readings.push({ at: Date.now() / 1000, values: new Map(all.flat()) });
  }

  /** Seconds from the fault to each alarm. With one reading: which would fire as it is. */
  async fired(): Promise<Map<string, number>> {
    const folder = mkdtempSync(join(tmpdir(), 'alarms-'));
    try {
      const steps = HEALTHY_STEPS + this.readings.length - 1 + GOES_ON_STEPS;
      const times = Array.from({ length: steps - HEALTHY_STEPS }, (_, n) => (HEALTHY_STEPS - 1 + n) * STEP_S);
      const names = new Set(this.readings.flatMap(({ values }) => [...values.keys()]));
      const test = {
        interval: `${STEP_S}s`,
        input_series: [...names].map((series) => ({ series, values: this.valuesOf(series) })),
        // What it gives instead of nothing is in what it says.
        promql_expr_test: times.map((at) => ({ expr: FIRING, eval_time: `${at}s`, exp_samples: [] })),
      };
      const file = join(folder, 'test.yml');
      writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: `${STEP_S}s`, tests: [test] }));
      const failed = await promisify(execFile)('promtool', ['test', 'rules', file], { maxBuffer: 2 ** 26 }).then(
        () => '',
        ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
      );
      return firstTimes(failed);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  /** Series in promtool's notation. */
  private valuesOf(series: string): string {
    const shown = this.readings.map(({ at, values }, n) => {
      const value = values.get(series);
      if (value === undefined || Number.isNaN(value)) return null;
      return isTime(series) ? value - at + (HEALTHY_STEPS - 1 + n) * STEP_S : value;
    });
    const [healthy = null, ...during] = shown;
    const last = shown.at(-1) ?? null;
    const before = isTime(series) && healthy !== null ? healthy - (HEALTHY_STEPS - 1) * STEP_S : healthy;
    return [
      before === null ? `_x${HEALTHY_STEPS - 1}` : `${before}+${isTime(series) ? STEP_S : 0}x${HEALTHY_STEPS - 1}`,
      // A server that is gone, or a series that it has no more, looks so.
      ...during.map((value, n) => value ?? (shown[n] == null ? '_' : 'stale')),
      ...(last === null ? [] : [`${last}+${this.growthOf(series, shown)}x${GOES_ON_STEPS}`]),
    ].join(' ');
  }

  /** A step's. Counters go on as during the fault, an age by the time; all else stays, also how long ago something was. */
  private growthOf(series: string, shown: readonly (number | null)[]): number {
    if (isTime(series)) return STEP_S;
    const last = shown.at(-1);
    if (last == null || shown.length < 3) return 0;
    if (isCounter(series)) return Math.max(0, (last - (shown[1] ?? last)) / (shown.length - 2));
    // Several readings count, because one may have come late.
    const isAge = AGE_STEPS.some((steps) => {
      const n = shown.length - 1 - steps;
      const [before, since] = [shown[n], this.readings[n]?.at];
      if (n < 1 || before == null || since === undefined) return false;
      return Math.abs((last - before) / ((this.readings.at(-1)?.at ?? 0) - since) - 1) < 0.2;
    });
    return isAge ? STEP_S : 0;
  }
}

const UNIT_S = { h: 3600, m: 60, s: 1 } as const;
const secondsOf = (duration: string): number =>
  [...duration.matchAll(/(\d+)([hms])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * UNIT_S[unit as keyof typeof UNIT_S],
    0,
  );

/** Reads what promtool says of each time at which something fired. */
function firstTimes(said: string): Map<string, number> {
  const first = new Map<string, number>();
  const found = [...said.matchAll(/time: (\w+),\s+exp: nil\s+got: (.+)/g)];
  if (said && found.length === 0) throw new Error(said);
  for (const [, time = '', got = ''] of found)
    for (const [, alarm = ''] of got.matchAll(/alertname="(\w+)"/g))
      if (!first.has(alarm)) first.set(alarm, secondsOf(time) - (HEALTHY_STEPS - 1) * STEP_S);
  return first;
}
