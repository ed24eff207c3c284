/** What the server of `npm run dev` tells the page: new builds, problems, texts of the shell. */
import type { DevMessage } from '../front';
import { reload, tellBuilt } from './hot';

const known = new Map<string, string[]>();

const STYLE = `position: fixed; inset: auto 0 0; z-index: 2147483647; max-height: 50vh; overflow: auto; margin: 0;
  padding: 12px 16px; direction: ltr; text-align: left; white-space: pre-wrap; font: 12px/1.5 ui-monospace, monospace;
  color: #fff; background: #3a1113; border-top: 2px solid #ed4540`;
let shown: HTMLElement | undefined;

/** More of them are in the terminal. */
const SHOWN = 20;

/** Shows build and type errors over the page until they are fixed or hidden. */
function showProblems(source: string, problems: string[]): void {
  const more = problems.length - SHOWN;
  known.set(source, [...problems.slice(0, SHOWN), ...(more > 0 ? [`… and ${more} more`] : [])]);
  shown?.remove();
  shown = undefined;
  const texts = [...known].flatMap(([name, each]) => (each.length > 0 ? [`${name}\n\n${each.join('\n')}`] : []));
  if (texts.length === 0) return;
  shown = document.createElement('pre');
  shown.id = 'pool-dev-problems';
  shown.setAttribute('role', 'alert');
  shown.style.cssText = STYLE;
  shown.textContent = texts.join('\n\n');
  shown.title = 'Click to hide';
  shown.addEventListener('click', () => shown?.remove());
  document.documentElement.append(shown);
}

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
