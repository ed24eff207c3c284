/** Syncs journal lines in groups; a power cut loses shares of `everyMs` at most, and none while syncs are slow. */
type Group = { since: number; synced: Promise<boolean>; settle(synced: boolean): void };

export class GroupSync {
  private next: Group | null = null;
  private running: Group | null = null;
  private failed = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly sync: () => Promise<void>,
    private readonly everyMs: number,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Call after writing a line. True: it may be acknowledged now; a promise tells after the sync. */
  wrote(): true | Promise<boolean> {
    // A monotonic clock: the time of day may be set back.
    const now = performance.now();
    const group = (this.next ??= newGroup(now));
    if (!this.running) this.plan(group);
    const oldest = this.running ?? group;
    return !this.failed && now - oldest.since < this.everyMs ? true : group.synced;
  }

  get hasFailed(): boolean {
    return this.failed;
  }

  /** Syncs everything; call it when no more lines are written. */
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
    // Start at half the interval, so that the disk has the other half.
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
