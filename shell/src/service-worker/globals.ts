/** What the worker uses of its global scope; the types of the whole scope would contradict those of pages. */
type ExtendableEvent = Event & { waitUntil(work: Promise<unknown>): void };
type Route = { condition: { or: { requestMode: RequestMode }[] }; source: 'network' };
export type FetchEvent = ExtendableEvent & {
  request: Request;
  preloadResponse: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
};
type Events = {
  /** `addRoutes`: Chromium's. */
  install: ExtendableEvent & { addRoutes?(route: Route): Promise<void> };
  activate: ExtendableEvent;
  fetch: FetchEvent;
  push: ExtendableEvent & { data: { json(): unknown } | null };
  notificationclick: ExtendableEvent & { notification: Notification };
};

type Client = {
  postMessage(data: string): void;
};
export const worker = globalThis as unknown as {
  /** The name of the build, which writes it in front of the worker. */
  poolBuild: string;
  clients: {
    claim(): Promise<void>;
    matchAll(): Promise<Client[]>;
    openWindow(path: string): Promise<unknown>;
  };
  registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  addEventListener<E extends keyof Events>(type: E, listener: (event: Events[E]) => void): void;
};
