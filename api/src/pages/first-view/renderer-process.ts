/** The process that renders the first views of one version of a remote, and what it is kept from. */
import { execFile, fork, type ChildProcess } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { FirstViewRequest, Get, RenderedView } from '@pool/shared/first-view';
import type { Logger } from '../../platform/log';
import { program } from '../../platform/programs';
import type { Answers, ToRenderer } from './renderer';

/** A view that is not rendered by then may be in an endless loop: its process is ended. */
const PATIENCE_MS = 5_000;
const START_MS = 30_000;
const MAX_CALLS = 64;
/** Longest view, or its styles, in characters. */
const MAX_LENGTH = 2 * 1024 * 1024;
/** Memory of a process, in bytes: heap, buffers and stacks. */
const MAX_MEMORY = 768 * 1024 * 1024;

export type FirstView = RenderedView & { css: string };

const text = z.string().max(MAX_LENGTH);
/** What comes from the process is untrusted: a script may have got out of its context. */
const fromRenderer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready') }),
  z.strictObject({ kind: z.literal('loaded'), css: text }),
  z.strictObject({ kind: z.literal('get'), id: z.int(), call: z.int(), url: z.string().max(8192) }),
  z.strictObject({ kind: z.literal('done'), id: z.int(), html: text, queries: text }),
  z.strictObject({ kind: z.literal('failed'), id: z.int(), error: text }),
]);
const answered = z.array(
  z.union([
    z.tuple([z.array(z.unknown()), z.string()]),
    z.tuple([z.array(z.unknown()), z.string(), z.boolean().optional()]),
  ]),
);

/** Node's options for a program that may read nothing but its own file, start nothing, and have little memory. */
const confined = (file: string): string[] => [
  process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission',
  `--allow-fs-read=${file}`,
  '--disallow-code-generation-from-strings',
  // An `import()` that fails with a text needs it (sandbox.ts).
  '--experimental-vm-modules',
  '--no-warnings',
  '--max-old-space-size=128',
  // A context lives for one view: code that is optimised for it is done when the view is (ADR 17).
  '--no-opt',
];

type Program = { file: string; execArgv: string[] };

function renderer(bundle: string | undefined): Program {
  if (bundle !== undefined) return { file: bundle, execArgv: confined(bundle) };
  const { file, execArgv } = program('pages/first-view/renderer.ts');
  // Run from its sources, it needs their loader, which needs files.
  return { file, execArgv: execArgv.length > 0 ? [...execArgv, '--experimental-vm-modules'] : confined(file) };
}

/** Takes from a process the right to open anything (by `prlimit` of util-linux). Throws where it cannot be done. */
const limit = (pid: number): Promise<unknown> =>
  promisify(execFile)('prlimit', [
    `--pid=${pid}`,
    '--nofile=0:0',
    '--core=0:0',
    '--fsize=0:0',
    `--data=${MAX_MEMORY}:${MAX_MEMORY}`,
  ]);

type Running = { id: number; get: Get; calls: number; done(view: RenderedView): void; failed(error: Error): void };

/** `bundle`: for tests, of the renderer. */
export type RendererOptions = { code: string; log: Logger; bundle?: string; onExit(): void };

export class RendererProcess {
  private readonly child: ChildProcess;
  private css = '';
  private last = 0;
  private running: Running | null = null;
  private begin: (error?: Error) => void = () => undefined;
  /** Resolves when the script is loaded. */
  private readonly loaded: Promise<void>;
  private static isLimited = true;

  constructor(private readonly options: RendererOptions) {
    const { file, execArgv } = renderer(options.bundle);
    this.child = fork(file, {
      env: {},
      execArgv,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Copies long texts; as JSON they would be escaped and parsed again on each side.
      serialization: 'advanced',
    });
    this.loaded = new Promise((resolve, reject) => {
      this.begin = (error) => (error ? reject(error) : resolve());
    });
    const start = setTimeout(() => this.end(), START_MS).unref();
    this.loaded.then(() => clearTimeout(start)).catch(() => undefined);
    this.child.on('message', (message) => void this.hear(message));
    this.child.on('error', (error) => options.log.error({ err: error }, 'a renderer of first views failed'));
    this.child.once('exit', () => {
      options.onExit();
      const error = new Error('the renderer ended, or did not answer');
      this.begin(error);
      this.running?.failed(error);
    });
  }

  async styles(): Promise<string> {
    await this.loaded;
    return this.css;
  }

  /** Rejects when the view fails. Only one is rendered at a time. `answers`: to what the view will ask for. */
  async render(request: FirstViewRequest, get: Get, answers: Answers = {}): Promise<FirstView> {
    const css = await this.styles();
    if (this.running) throw new Error('a view is being rendered');
    if (!this.child.connected) throw new Error('the renderer has ended');
    const id = (this.last += 1);
    // The time counts from here on, not while it waits for others.
    const patience = setTimeout(() => this.end(), PATIENCE_MS).unref();
    try {
      const view = await new Promise<RenderedView>((done, failed) => {
        this.running = { id, get, calls: 0, done, failed };
        this.say({ kind: 'render', id, request, answers });
      });
      return { ...view, css };
    } finally {
      clearTimeout(patience);
      this.running = null;
    }
  }

  end(): void {
    this.child.kill('SIGKILL');
  }

  private say(message: ToRenderer): void {
    if (this.child.connected) this.child.send(message);
  }

  private async hear(given: unknown): Promise<void> {
    const { data: message } = fromRenderer.safeParse(given);
    if (!message) return this.end();
    if (message.kind === 'ready') return this.confine();
    if (message.kind === 'loaded') {
      this.css = message.css;
      return this.begin();
    }
    const { running } = this;
    if (!running || message.id !== running.id) return;
    if (message.kind === 'failed') return running.failed(new Error(message.error));
    if (message.kind === 'get') {
      running.calls += 1;
      if (running.calls > MAX_CALLS) return running.failed(new Error('a view sends too many calls'));
      const answer = await running.get(message.url);
      return this.say({ kind: 'answer', id: running.id, call: message.call, ...answer });
    }
    try {
      running.done({ html: message.html, queries: answered.parse(JSON.parse(message.queries)) });
    } catch (error) {
      running.failed(error as Error);
    }
  }

  /** The script comes only after the limits: nothing of it has run before. */
  private async confine(): Promise<void> {
    const { pid } = this.child;
    if (pid !== undefined)
      await limit(pid).catch((error: unknown) => {
        if (!RendererProcess.isLimited) return;
        RendererProcess.isLimited = false;
        this.options.log.warn(
          { err: error },
          'the kernel does not limit what renders first views (prlimit failed): only Node keeps a remote from the network',
        );
      });
    this.say({ kind: 'script', code: this.options.code });
  }
}
