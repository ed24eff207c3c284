/**
 * When lines of the journal are brought onto the disk: in groups, since a disk takes a thousand lines as fast as one.
 * A power cut costs what was acknowledged in at most `everyMs`: while the disk needs longer than that, and always with
 * 0, lines are acknowledged only once they are on it.
 */
export const SYNC_MS = 1000;

type Group = { since: number; synced: Promise<boolean>; settle(synced: boolean): void };

export class GroupSync {
  /** Lines no sync has begun for. */
  private next: Group | null = null;
  private running: Group | null = null;
  private failed = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly sync: () => Promise<void>,
    private readonly everyMs: number,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** A line was written. True: it may be acknowledged; else the promise says whether, once it is known. */
  wrote(): true | Promise<boolean> {
    // Not the time of day, which may be set back.
    const now = performance.now();
    const group = (this.next ??= newGroup(now));
    if (!this.running) this.plan(group);
    const oldest = this.running ?? group;
    return !this.failed && now - oldest.since < this.everyMs ? true : group.synced;
  }

  /** Brings onto the disk what is not there yet; to be called when nothing is written any more. */
  async stop(): Promise<void> {
    while (this.running ?? this.next) await (this.running?.synced ?? this.run());
  }

  private async run(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const group = this.next;
    if (!group) return;
    this.next = null;
    this.running = group;
    this.failed = await this.sync().then(
      () => false,
      (error: unknown) => {
        this.onError(error);
        return true;
      },
    );
    this.running = null;
    group.settle(!this.failed);
    if (this.next) this.plan(this.next);
  }

  private plan({ since }: Group): void {
    // Half the time is left to the disk.
    const wait = since + this.everyMs / 2 - performance.now();
    this.timer ??= setTimeout(() => void this.run(), Math.max(0, wait));
  }
}

function newGroup(since: number): Group {
  let settle: Group['settle'] = () => undefined;
  const synced = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  return { since, synced, settle };
}
