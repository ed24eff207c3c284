/** First views of remotes. A page never fails because of its first view: what throws or is late is left out. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FirstViewRequest, Get } from '@pool/shared/first-view';
import type { RemoteManifest } from '@pool/shared/contract';
import type { Logger } from '../../platform/log';
import type { Answers } from './renderer';
import { RendererProcess, type FirstView } from './renderer-process';

const BUDGET_MS = 400;
const PAUSE_MS = 60_000;
/** Views that wait or are rendered, of all users; one of each. More would not be there in time. */
const MAX_VIEWS = 6;
const MAX_RENDERERS = 6;
const IDLE_MS = 10 * 60_000;

/** `scriptOf`: the script of a remote's first view; null: it has none. `bundle`, `idleMs`: for tests. */
export type FirstViewOptions = {
  scriptOf(remote: RemoteManifest): Promise<string | null>;
  log: Logger;
  bundle?: string;
  idleMs?: number;
};

/** Renderer of a version of a remote. `line`: the views that wait, one after another. */
type Renderer = {
  process: Promise<RendererProcess | null>;
  line: Promise<unknown>;
  waiting: number;
  idle?: NodeJS.Timeout;
};

/** `isGone`: nobody waits for the page any more. */
type Wanted = { get: Get; first: readonly string[]; isGone?: () => boolean };

export class FirstViews {
  /** Renderers by name and version of a remote, in the order of their last use. */
  private readonly renderers = new Map<string, Renderer>();
  private readonly pausedUntil = new Map<string, number>();
  /** View of each user that waits or is rendered. */
  private readonly places = new Map<string, object>();

  constructor(private readonly options: FirstViewOptions) {}

  get size(): number {
    return this.renderers.size;
  }

  /** Null: there is no view, or not in time. `first`: what it will ask for, asked for when its turn has come. */
  async render(
    remote: RemoteManifest,
    request: FirstViewRequest,
    { get, first, isGone = () => false }: Wanted,
  ): Promise<FirstView | null> {
    const at = `${remote.name}/${remote.version}`;
    const { userId } = request;
    if ((this.pausedUntil.get(at) ?? 0) > performance.now()) return null;
    if (this.places.has(userId) || this.places.size >= MAX_VIEWS) return null;
    const renderer = this.rendererOf(remote, at);
    if (!renderer) return null;
    const place = {};
    const leave = (): void => {
      if (this.places.get(userId) === place) this.places.delete(userId);
    };
    this.places.set(userId, place);
    let isBegun = false;
    let isLate = false;
    const late = sleep(BUDGET_MS, null, { ref: false }).then(() => {
      isLate = true;
      // A view that has not begun never will; one that has keeps its user's place until it is done.
      if (!isBegun) leave();
      return null;
    });
    const make = async (): Promise<FirstView | null> => {
      const process = await renderer.process;
      if (!process || isLate || isGone()) return null;
      isBegun = true;
      const answers: Answers = {};
      const given = first.map(async (url) => {
        const { status, body } = await get(url);
        if (status === 200) answers[url] = body;
      });
      await Promise.race([Promise.all(given), late]);
      return isLate ? null : process.render(request, get, answers);
    };
    renderer.waiting += 1;
    const rendered = renderer.line
      .then(make)
      .catch((error: unknown) => {
        this.pause(at, error);
        return null;
      })
      .finally(() => {
        renderer.waiting -= 1;
        leave();
        this.rest(at, renderer);
      });
    renderer.line = rendered;
    return Promise.race([rendered, late]);
  }

  /** Null: all processes are rendering. */
  private rendererOf(remote: RemoteManifest, at: string): Renderer | null {
    const known = this.renderers.get(at);
    if (!known && this.renderers.size >= MAX_RENDERERS) {
      const [oldest] = [...this.renderers].find(([, { waiting }]) => waiting === 0) ?? [];
      if (oldest === undefined) return null;
      this.end(oldest);
    }
    const renderer = known ?? this.start(remote, at);
    this.renderers.delete(at);
    this.renderers.set(at, renderer);
    clearTimeout(renderer.idle);
    return renderer;
  }

  private start(remote: RemoteManifest, at: string): Renderer {
    const { scriptOf, log, bundle } = this.options;
    const renderer: Renderer = {
      process: scriptOf(remote).then((code) => {
        if (code === null || this.renderers.get(at) !== renderer) return null;
        const onExit = (): void => {
          if (this.renderers.get(at) === renderer) this.renderers.delete(at);
        };
        return new RendererProcess({ code, log, bundle, onExit });
      }),
      line: Promise.resolve(),
      waiting: 0,
    };
    return renderer;
  }

  private rest(at: string, renderer: Renderer): void {
    if (renderer.waiting > 0 || this.renderers.get(at) !== renderer) return;
    clearTimeout(renderer.idle);
    renderer.idle = setTimeout(() => this.end(at), this.options.idleMs ?? IDLE_MS).unref();
  }

  private end(at: string): void {
    const renderer = this.renderers.get(at);
    this.renderers.delete(at);
    clearTimeout(renderer?.idle);
    void renderer?.process.then((process) => process?.end());
  }

  close(): void {
    for (const at of this.renderers.keys()) this.end(at);
  }

  private pause(at: string, error: unknown): void {
    this.pausedUntil.set(at, performance.now() + PAUSE_MS);
    this.options.log.error({ err: error, remote: at }, 'a first view cannot be rendered; its pages come without it');
  }
}
