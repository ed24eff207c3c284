/** What the server of `npm run dev` tells the page: new builds, problems, texts of the shell. */
import type { DevMessage } from '../front';
import { reload, tellBuilt } from './hot';
import { showProblems } from './problems';

/** Loads a remote that crashed anew, as a person would ask for it: what was wrong may be mended. */
function tryAgain(): void {
  document.querySelector<HTMLElement>('[data-failure=crashed] button')?.click();
}

export function followEvents(textsChanged: () => void): void {
  // A remote that is loaded anew has another copy of this module.
  if (globalThis.poolEvents) return;
  globalThis.poolEvents = new EventSource('/__dev/events');
  globalThis.poolEvents.addEventListener('message', ({ data }: MessageEvent<string>) => {
    const message = JSON.parse(data) as DevMessage;
    if ('hash' in message) void tellBuilt(message.unit, message.hash).then((isNew) => isNew && tryAgain());
    else if ('texts' in message) textsChanged();
    else if ('reload' in message) reload();
    else showProblems(message.source, message.problems);
  });
}

declare global {
  var poolEvents: EventSource | undefined;
}
