/** Rate of rejected shares of an upstream in the last hour. */
const SLICE_MS = 600_000;
const SLICES = 6;

type Slice = { since: number; accepted: number; rejected: number };

export class Verdicts {
  private slices: Slice[] = [];

  note(accepted: boolean, now = performance.now()): void {
    const since = now - (now % SLICE_MS);
    let slice = this.slices.at(-1);
    if (slice?.since !== since) {
      slice = { since, accepted: 0, rejected: 0 };
      this.slices = [...this.slices, slice].slice(-SLICES);
    }
    slice[accepted ? 'accepted' : 'rejected'] += 1;
  }

  /** Rate from 0 to 1; null without shares. */
  rejectRate(now = performance.now()): number | null {
    const recent = this.slices.filter(({ since }) => since > now - SLICES * SLICE_MS);
    const rejected = recent.reduce((sum, slice) => sum + slice.rejected, 0);
    const all = recent.reduce((sum, slice) => sum + slice.accepted, rejected);
    return all ? rejected / all : null;
  }
}
