/** What was checked, how long it took, and whether it holds. */
export class Report {
  private readonly rows: { name: string; seconds: number; error: string | null }[] = [];
  readonly figures: string[] = [];

  /** Runs one check, which says whether it holds: without the first ones, the others of a profile are not tried. */
  async check(name: string, work: () => Promise<unknown>): Promise<boolean> {
    const begun = performance.now();
    const error = await work().then(
      () => null,
      (failure: Error) => failure.message,
    );
    const seconds = (performance.now() - begun) / 1000;
    this.rows.push({ name, seconds, error });
    console.log(`${error === null ? 'holds' : 'FAILS'}  ${name} (${seconds.toFixed(1)} s)${error ? `\n${error}` : ''}`);
    return error === null;
  }

  print(): void {
    const failed = this.rows.filter(({ error }) => error !== null).length;
    for (const line of this.figures) console.log(line);
    console.log(`\n${this.rows.length - failed} passed, ${failed} failed`);
    if (failed > 0) process.exitCode = 1;
  }
}

export function assertEqual(found: unknown, wanted: unknown, what: string): void {
  const [is, should] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (is !== should) throw new Error(`${what}: ${is} in place of ${should}`);
}
