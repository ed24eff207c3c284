import type { MountProps, RemoteLifecycles, RemoteProps } from '@pool/shared';

/** The next page does not wait longer for a remote that does not end. */
const STOP_MS = 8_000;

let mounts = 0;

/** One mount of a remote: its steps run one after the other; updates behind a running one are merged. */
export class MountedRemote {
  private readonly name: string;
  private running: Promise<void>;
  private next: RemoteProps | null = null;
  private stopped = false;
  /** What the remote was rendered with last. */
  private shown: RemoteProps;

  constructor(
    private readonly module: RemoteLifecycles,
    private readonly element: HTMLElement,
    remote: string,
    props: RemoteProps,
  ) {
    this.shown = props;
    this.name = `${remote}-${(mounts += 1)}`;
    this.running = this.start(props);
  }

  /** Settles when the first mount has. */
  get ready(): Promise<void> {
    return this.running;
  }

  private props(props: RemoteProps): MountProps {
    return { ...props, name: this.name, domElement: this.element };
  }

  private async start(props: RemoteProps): Promise<void> {
    await this.module.bootstrap(this.props(props));
    await this.module.mount(this.props(props));
  }

  update(props: RemoteProps): void {
    const waiting = this.next !== null;
    this.next = props;
    if (waiting) return;
    this.running = this.running.then(async () => {
      const latest = this.next;
      this.next = null;
      if (!latest || latest === this.shown || this.stopped) return;
      this.shown = latest;
      await this.module.update(this.props(latest));
    });
    // Failures of the first mount are handled by the outlet (`ready`).
    this.running.catch(() => undefined);
  }

  /** Unmounts the remote's root after the running step. Never throws, and ends within the limit. */
  async stop(props: RemoteProps): Promise<void> {
    this.stopped = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const limit = new Promise((resolve) => {
      timer = setTimeout(resolve, STOP_MS);
    });
    const work = this.running.catch(() => undefined).then(() => this.module.unmount(this.props(props)));
    await Promise.race([work.catch(() => undefined), limit]);
    clearTimeout(timer);
  }
}
