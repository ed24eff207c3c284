/**
 * First views of remotes, rendered before the page's scripts have loaded. A page never fails because of its first view:
 * one that throws, or takes too long, is left out.
 */
import { fork, type ChildProcess } from 'node:child_process';
import type { FirstViewRequest, Get, RenderedView } from '@pool/shared/first-view';
import type { RemoteManifest } from '@pool/shared/contract';
import type { Logger } from '../../log';
import { program } from '../../programs';
import type { FromRenderer, ToRenderer } from './renderer';

/** What a page waits for its first view at most. */
const BUDGET_MS = 400;
/** A renderer that has not answered by then is ended: it may be in an endless loop. */
const PATIENCE_MS = 5_000;
/** After a failure a version is left out for this time. */
const PAUSE_MS = 60_000;

/** Scripts that the renderer has at a time; the oldest goes. */
const MAX_SCRIPTS = 16;

/** `scriptOf`: of a remote's first view; null: it has none. */
export type FirstViewOptions = { scriptOf(remote: RemoteManifest): Promise<string | null>; log: Logger };

export type FirstView = RenderedView & { css: string };

/** `scripts`: by name and version of a remote, whether it has one. */
type Renderer = { child: ChildProcess; scripts: Map<string, Promise<boolean>> };
type Job = { get: Get; at: string; done(view: FirstView | null): void; patience: NodeJS.Timeout };

const say = (child: ChildProcess, message: ToRenderer): void => {
  if (child.connected) child.send(message);
};

/** Node's options for a program that may read nothing but its own file, start nothing, and have little memory. */
export const confined = (file: string): string[] => [
  process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission',
  `--allow-fs-read=${file}`,
  '--no-warnings',
  '--max-old-space-size=256',
];

export class FirstViews {
  private renderer: Renderer | null = null;
  private readonly jobs = new Map<number, Job>();
  private readonly pausedUntil = new Map<string, number>();
  private last = 0;

  constructor(private readonly options: FirstViewOptions) {}

  /** Starts the renderer, so that the first page does not wait for it. */
  open(): void {
    this.renderer ??= this.start();
  }

  /** Null: the remote has no first view, or it is not there in time. `first`: what it will ask for, asked for now. */
  async render(
    remote: RemoteManifest,
    request: FirstViewRequest,
    get: Get,
    first: readonly string[],
  ): Promise<FirstView | null> {
    const at = `${remote.name}/${remote.version}`;
    if ((this.pausedUntil.get(at) ?? 0) > performance.now()) return null;
    const renderer = (this.renderer ??= this.start());
    if (!(await this.hasScript(renderer, remote, at))) return null;
    for (const url of first) get(url).catch(() => undefined);
    const id = (this.last += 1);
    return new Promise((resolve) => {
      const budget = setTimeout(resolve, BUDGET_MS, null);
      const patience = setTimeout(() => {
        renderer.child.kill('SIGKILL');
      }, PATIENCE_MS).unref();
      this.jobs.set(id, {
        get,
        at,
        patience,
        done(view) {
          clearTimeout(budget);
          resolve(view);
        },
      });
      say(renderer.child, { kind: 'render', id, at, request });
    });
  }

  /** Gives the renderer the remote's script, once. */
  private hasScript({ child, scripts }: Renderer, remote: RemoteManifest, at: string): Promise<boolean> {
    const known = scripts.get(at);
    if (known) return known;
    const given = this.options.scriptOf(remote).then((code) => {
      if (code !== null) say(child, { kind: 'script', at, code });
      return code !== null;
    });
    scripts.set(at, given);
    const [oldest] = scripts.keys();
    if (scripts.size > MAX_SCRIPTS && oldest !== undefined) {
      scripts.delete(oldest);
      say(child, { kind: 'forget', at: oldest });
    }
    return given;
  }

  close(): void {
    this.renderer?.child.kill();
  }

  private pause(at: string, error: unknown): void {
    this.pausedUntil.set(at, performance.now() + PAUSE_MS);
    this.options.log.error({ err: error, remote: at }, 'a first view cannot be rendered; its pages come without it');
  }

  private end(id: number, view: FirstView | null): void {
    const job = this.jobs.get(id);
    clearTimeout(job?.patience);
    this.jobs.delete(id);
    job?.done(view);
  }

  private start(): Renderer {
    const { file, execArgv } = program('web/first-view/renderer.ts');
    // Run from its sources, it needs their loader.
    const options = execArgv.length > 0 ? execArgv : confined(file);
    const child = fork(file, { env: {}, execArgv: options, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child.on('message', (message: FromRenderer) => void this.hear(child, message));
    child.on('error', (error) => this.options.log.error({ err: error }, 'the renderer of first views failed'));
    child.once('exit', () => {
      if (this.renderer?.child === child) this.renderer = null;
      for (const [id, { at }] of this.jobs) {
        this.pause(at, new Error('the renderer ended, or did not answer'));
        this.end(id, null);
      }
    });
    return { child, scripts: new Map() };
  }

  private async hear(child: ChildProcess, message: FromRenderer): Promise<void> {
    if (message.kind === 'done') return this.end(message.id, message);
    const job = this.jobs.get(message.id);
    if (!job) return;
    if (message.kind === 'failed') {
      this.pause(job.at, new Error(message.error));
      return this.end(message.id, null);
    }
    say(child, { kind: 'answer', call: message.call, ...(await job.get(message.url)) });
  }
}
