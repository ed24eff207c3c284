/** What the worker uses of its global scope; the types of the whole scope would contradict those of pages. */
type ExtendableEvent = Event & { waitUntil(work: Promise<unknown>): void };
type Events = {
  install: ExtendableEvent;
  activate: ExtendableEvent;
  message: ExtendableEvent & MessageEvent<unknown>;
};

export type FetchEvent = ExtendableEvent & { preloadResponse?: Promise<Response | undefined> };
export const worker = globalThis as unknown as {
  /** The build writes it in front of the worker: the build's name, and the files of its first view. */
  poolBuild: { name: string; files: string[] };
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener<E extends keyof Events>(type: E, listener: (event: Events[E]) => void): void;
};
