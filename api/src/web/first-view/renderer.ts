/**
 * Renders first views in a process of its own, without environment and files (`confined` in first-views.ts): each
 * remote's script runs in a context that has what a view needs. It asks the server, which answers as it answers the
 * page's user.
 */
import { createContext, Script } from 'node:vm';
import type { FirstViewRequest, Get, RenderedView, RenderFirstView } from '@pool/shared/first-view';

/** `at`: name and version of the remote. */
export type ToRenderer =
  | { kind: 'script'; at: string; code: string }
  | { kind: 'forget'; at: string }
  | { kind: 'render'; id: number; at: string; request: FirstViewRequest }
  | { kind: 'answer'; call: number; status: number; type: string; body: string };
export type FromRenderer =
  | { kind: 'get'; id: number; call: number; url: string }
  | ({ kind: 'done'; id: number; css: string } & RenderedView)
  | { kind: 'failed'; id: number; error: string };

type FirstView = { render: RenderFirstView; css: string };

const views = new Map<string, FirstView>();
const waiting = new Map<number, (answer: Awaited<ReturnType<Get>>) => void>();
let calls = 0;

const say = (message: FromRenderer): void => void process.send?.(message);

/** A script that cannot be run fails when its view is asked for. */
function load(code: string): FirstView {
  try {
    return run(code);
  } catch (error) {
    return { css: '', render: () => Promise.reject(error as Error) };
  }
}

function run(code: string): FirstView {
  const context = createContext({
    AbortController,
    MessageChannel,
    Response,
    TextEncoder,
    URL,
    URLSearchParams,
    clearTimeout,
    console,
    queueMicrotask,
    setTimeout,
  });
  return new Script(`${code}\npoolFirstView;`).runInContext(context) as FirstView;
}

async function render(id: number, at: string, request: FirstViewRequest): Promise<void> {
  const view = views.get(at);
  if (!view) throw new Error(`${at} has no script`);
  const get: Get = (url) =>
    new Promise((resolve) => {
      calls += 1;
      waiting.set(calls, resolve);
      say({ kind: 'get', id, call: calls, url });
    });
  say({ kind: 'done', id, css: view.css, ...(await view.render(request, get)) });
}

process.on('message', (message: ToRenderer) => {
  if (message.kind === 'answer') {
    waiting.get(message.call)?.(message);
    waiting.delete(message.call);
  } else if (message.kind === 'script') {
    views.set(message.at, load(message.code));
  } else if (message.kind === 'forget') {
    views.delete(message.at);
  } else {
    const { id } = message;
    // An error of another context is not an `Error` of this one.
    render(id, message.at, message.request).catch((error: unknown) =>
      say({ kind: 'failed', id, error: (error as Error | null)?.stack ?? String(error) }),
    );
  }
});
process.on('disconnect', () => process.exit());
