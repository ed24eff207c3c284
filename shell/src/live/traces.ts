/** Gives the calls of a click, or of a live event, the trace of it (W3C Trace Context); the server traces them by that. */

/** What is asked for later has another reason. */
const REASON_MS = 3000;

let current = '';
let until = 0;

function trace(traceparent: string): void {
  current = traceparent;
  until = Date.now() + REASON_MS;
}

/** Calls from now on belong to what has caused an event. */
export function followTrace(traceparent: unknown): void {
  if (typeof traceparent === 'string') trace(traceparent);
}

function onClick(): void {
  const id = [...crypto.getRandomValues(new Uint8Array(24))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  trace(`00-${id.slice(0, 32)}-${id.slice(32)}-01`);
}

/** Returns the function that ends it. */
export function traceClicks(): () => void {
  window.addEventListener('click', onClick, true);
  return () => window.removeEventListener('click', onClick, true);
}

export const withTrace = (init: RequestInit = {}): RequestInit =>
  Date.now() < until
    ? { ...init, headers: { ...(init.headers as Record<string, string>), traceparent: current } }
    : init;
