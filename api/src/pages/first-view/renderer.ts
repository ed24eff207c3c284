/** Renders one first view at a time, in a process that is confined before it gets the script (renderer-process.ts). */
import type { FirstViewRequest } from '@pool/shared/first-view';
import { confined, type Bridge, type Program } from './sandbox';

export type Answers = Record<string, string>;
export type ToRenderer =
  | { kind: 'script'; code: string }
  | { kind: 'render'; id: number; request: FirstViewRequest; answers: Answers }
  | { kind: 'answer'; id: number; call: number; status: number; type: string; body: string };
/** A `RenderedView`, its queries as JSON. */
type FromRenderer =
  | { kind: 'ready' }
  | { kind: 'loaded'; css: string }
  | { kind: 'get'; id: number; call: number; url: string }
  | { kind: 'done'; id: number; html: string; queries: string }
  | { kind: 'failed'; id: number; error: string };

const say = (message: FromRenderer): void => void process.send?.(message);

/** What a script could do harm with if it got out of its context, and the program itself does not use. */
function giveUp(): void {
  const names = ['binding', '_linkedBinding', 'dlopen', 'getBuiltinModule', 'mainModule', 'stdin', 'stdout', 'stderr'];
  for (const name of [...names, 'kill', '_kill', '_debugProcess']) Reflect.deleteProperty(process, name);
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'Worker', 'navigator', 'BroadcastChannel'])
    Reflect.deleteProperty(globalThis, name);
}

const timers = new Map<number, NodeJS.Timeout>();
/** Makes a context of its own for a view. */
let prepare: (() => Context) | null = null;
/** A context that nothing has been rendered in yet, made while the process waits. */
let next: Context | null = null;
let current: Context | null = null;
/** What the script threw when it was run: each of its views fails with it. */
let broken = 'there is no script';

type Context = { id: number; bridge: Bridge };

/** Runs the script in a context of its own; what it says counts only while its own view is rendered. */
function contextOf(program: Program): Context {
  const context = { id: 0 } as Context;
  const isCurrent = (): boolean => context === current;
  context.bridge = program({
    get: (call, url) => say({ kind: 'get', id: context.id, call, url }),
    done(html, queries) {
      say({ kind: 'done', id: context.id, html, queries });
      setImmediate(() => (next ??= prepare?.() ?? null));
    },
    failed: (error) => say({ kind: 'failed', id: context.id, error }),
    later(id, ms) {
      if (!isCurrent()) return;
      const fire = (): void => {
        timers.delete(id);
        context.bridge.fire(id);
      };
      timers.set(id, setTimeout(fire, ms));
    },
    cancel(id) {
      if (!isCurrent()) return;
      clearTimeout(timers.get(id));
      timers.delete(id);
    },
    address(href, base) {
      try {
        const url = new URL(href, base || undefined);
        const { hash, host, hostname, origin, pathname, port, protocol, search } = url;
        return JSON.stringify({ hash, host, hostname, origin, pathname, port, protocol, search, href: url.href });
      } catch {
        return '';
      }
    },
  });
  return context;
}

function load(code: string): void {
  try {
    const program = confined(code);
    prepare = () => contextOf(program);
    next = prepare();
  } catch (error) {
    prepare = null;
    broken = String((error as Error | null)?.stack ?? error);
  }
  say({ kind: 'loaded', css: next?.bridge.css ?? '' });
}

process.on('message', (message: ToRenderer) => {
  if (message.kind === 'script') return load(message.code);
  if (message.kind === 'answer') {
    // What a view that has failed still waits for is of no use to the next one.
    if (message.id === current?.id) current.bridge.answer(message.call, message.status, message.type, message.body);
    return;
  }
  // Nothing of the view before runs on in this one, or is known to it.
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
  current = next ?? prepare?.() ?? null;
  next = null;
  if (!current) return say({ kind: 'failed', id: message.id, error: broken });
  current.id = message.id;
  for (const [url, body] of Object.entries(message.answers)) current.bridge.give(url, body);
  current.bridge.render(JSON.stringify(message.request));
});
process.on('disconnect', () => process.exit());
process.on('uncaughtException', (error: unknown) => {
  say({ kind: 'failed', id: current?.id ?? 0, error: String((error as Error | null)?.stack ?? error) });
});
giveUp();
say({ kind: 'ready' });
