/** The context of one first view. Only strings and numbers cross its border: a script holds no foreign object. */
import { constants, createContext, Script } from 'node:vm';

/** What the context asks of the process. All arguments and results are primitive. */
type Host = {
  /** Asks the server; `answer` of `Bridge` gets what came, by `call`. */
  get(call: number, url: string): void;
  done(html: string, queries: string): void;
  failed(error: string): void;
  /** `fire` of `Bridge` is called with `id` after `ms`. */
  later(id: number, ms: number): void;
  cancel(id: number): void;
  /** The parts of an address as JSON; empty: not an address. */
  address(href: string, base: string): string;
};

export type Bridge = {
  css: string;
  give(url: string, body: string): void;
  render(request: string): void;
  answer(call: number, status: number, type: string, body: string): void;
  fire(id: number): void;
};

/** Runs before the remote's script. Functions of the host are never handed on, nor what they throw. */
const PRELUDE = String.raw`'use strict';
((host) => {
  const { get, done, failed, later, cancel, address } = host;
  const { parse, stringify } = JSON;
  const { hasOwn } = Object;
  const own = (call) => {
    let value;
    let isDone = false;
    try { value = call(); isDone = true; } catch {}
    if (!isDone) throw new Error('not possible here');
    return value;
  };

  let last = 0;
  const timers = { __proto__: null };
  globalThis.setTimeout = (run, ms, ...args) => {
    const id = (last += 1);
    timers[id] = () => run(...args);
    own(() => later(id, +ms || 0));
    return id;
  };
  globalThis.clearTimeout = (id) => {
    if (!(id in timers)) return;
    delete timers[id];
    own(() => cancel(+id));
  };
  globalThis.queueMicrotask = (run) => void Promise.resolve().then(() => run());

  globalThis.MessageChannel = class MessageChannel {
    constructor() {
      const port = () => ({ onmessage: null, postMessage: null, close() {} });
      [this.port1, this.port2] = [port(), port()];
      const join = (from, to) => { from.postMessage = (data) => void setTimeout(() => to.onmessage?.({ data }), 0); };
      join(this.port1, this.port2);
      join(this.port2, this.port1);
    }
  };
  globalThis.AbortController = class AbortController {
    constructor() {
      const listeners = new Set();
      this.signal = {
        aborted: false,
        reason: undefined,
        addEventListener: (_, listener) => void listeners.add(listener),
        removeEventListener: (_, listener) => void listeners.delete(listener),
        throwIfAborted() { if (this.aborted) throw this.reason; },
      };
      this.abort = (reason = new Error('aborted')) => {
        if (this.signal.aborted) return;
        Object.assign(this.signal, { aborted: true, reason });
        for (const listener of listeners) listener({ type: 'abort' });
      };
    }
  };
  globalThis.TextEncoder = class TextEncoder {
    encode(text = '') { return Uint8Array.from(unescape(encodeURIComponent(text)), (c) => c.charCodeAt(0)); }
  };
  globalThis.Response = class Response {
    constructor(body, { status = 200, headers = {} } = {}) {
      const lower = ([name, value]) => [name.toLowerCase(), String(value)];
      const named = Object.fromEntries(Object.entries(headers).map(lower));
      Object.assign(this, { status, ok: status >= 200 && status < 300, statusText: '' });
      this.headers = { get: (name) => named[name.toLowerCase()] ?? null, has: (name) => name.toLowerCase() in named };
      this.text = async () => String(body ?? '');
      this.json = async () => parse(body);
    }
  };

  const decode = (text) => {
    const plain = text.replaceAll('+', ' ');
    try { return decodeURIComponent(plain); } catch { return plain; }
  };
  const encode = (text) =>
    encodeURIComponent(text)
      .replace(/[!'()~]/g, (c) => '%' + c.charCodeAt(0).toString(16).toUpperCase())
      .replaceAll('%20', '+');
  class URLSearchParams {
    #pairs;
    constructor(from = '') {
      if (typeof from === 'string')
        this.#pairs = from.replace(/^\?/, '').split('&').filter(Boolean).map((pair) => {
          const [name, ...rest] = pair.split('=');
          return [decode(name), decode(rest.join('='))];
        });
      else
        this.#pairs = [...(typeof from?.[Symbol.iterator] === 'function' ? from : Object.entries(from ?? {}))]
          .map(([name, value]) => [String(name), String(value)]);
    }
    get size() { return this.#pairs.length; }
    get(name) { return this.#pairs.find(([each]) => each === String(name))?.[1] ?? null; }
    getAll(name) { return this.#pairs.filter(([each]) => each === String(name)).map(([, value]) => value); }
    has(name) { return this.#pairs.some(([each]) => each === String(name)); }
    append(name, value) { this.#pairs.push([String(name), String(value)]); }
    set(name, value) {
      const at = this.#pairs.findIndex(([each]) => each === String(name));
      if (at === -1) return this.append(name, value);
      this.#pairs = this.#pairs.filter(([each], index) => index <= at || each !== String(name));
      this.#pairs[at] = [String(name), String(value)];
    }
    delete(name) { this.#pairs = this.#pairs.filter(([each]) => each !== String(name)); }
    sort() { this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)); }
    forEach(run) { for (const [name, value] of this.#pairs) run(value, name, this); }
    *entries() { for (const [name, value] of this.#pairs) yield [name, value]; }
    *keys() { for (const [name] of this.#pairs) yield name; }
    *values() { for (const [, value] of this.#pairs) yield value; }
    [Symbol.iterator]() { return this.entries(); }
    toString() { return this.#pairs.map(([name, value]) => encode(name) + '=' + encode(value)).join('&'); }
  }
  globalThis.URLSearchParams = URLSearchParams;
  globalThis.URL = class URL {
    constructor(href, base = '') {
      const [to, from] = [String(href), String(base)];
      const parts = own(() => address(to, from));
      if (parts === '') throw new TypeError('Invalid URL');
      Object.assign(this, parse(parts));
      this.searchParams = new URLSearchParams(this.search);
    }
    toString() { return this.href; }
    toJSON() { return this.href; }
  };

  let calls = 0;
  const waiting = { __proto__: null };
  const ask = (url) =>
    new Promise((resolve) => {
      const call = (calls += 1);
      waiting[call] = resolve;
      const wanted = String(url);
      own(() => get(call, wanted));
    });
  const fail = (error) => {
    const text = String(error?.stack ?? error);
    own(() => failed(text));
  };
  const given = { __proto__: null };
  return (view) => ({
    __proto__: null,
    css: String(view.css ?? ''),
    give(url, body) { given[url] = body; },
    render(request) {
      (async () => {
        const get = (url) =>
          hasOwn(given, url) ? Promise.resolve({ status: 200, type: 'application/json', body: given[url] }) : ask(url);
        const { html, queries } = await view.render(parse(request), get, given);
        const [text, keys] = [String(html), String(stringify(queries))];
        own(() => done(text, keys));
      })().catch(fail);
    },
    answer(call, status, type, body) {
      const resolve = waiting[call];
      delete waiting[call];
      resolve?.({ status, type, body });
    },
    fire(id) {
      const run = timers[id];
      delete timers[id];
      run?.();
    },
  });
});`;

/** Makes a context and runs the script in it. Throws what the script throws, which may be an object of its context. */
export type Program = (host: Host) => Bridge;

/** The script of a first view, compiled once for all of its contexts. */
export function confined(code: string): Program {
  const options = {
    // Without it `import()` fails with an error of the process.
    importModuleDynamically: () => {
      throw 'import() is not there';
    },
  };
  const prelude = new Script(PRELUDE);
  const script = new Script(`${code}\npoolFirstView;`, options);
  return (host) => {
    // Its global object is an ordinary one: of another, Node itself answers for each use of `Map` or `Math`.
    const context = createContext(constants.DONT_CONTEXTIFY as unknown as object, {
      codeGeneration: { strings: false, wasm: false },
    });
    const wrap = prelude.runInContext(context) as (host: Host) => (view: unknown) => Bridge;
    const join = wrap(Object.assign(Object.create(null), host) as Host);
    return join(script.runInContext(context));
  };
}
