/** What the server of `npm run dev` tells the page: new builds, problems, texts of the shell. */
import type { DevMessage } from '../front';
import { reload, tellBuilt } from './hot';
import { showProblems } from './problems';

export function followEvents(textsChanged: () => void): void {
  new EventSource('/__dev/events').addEventListener('message', ({ data }: MessageEvent<string>) => {
    const message = JSON.parse(data) as DevMessage;
    if ('hash' in message) tellBuilt(message.unit, message.hash);
    else if ('texts' in message) textsChanged();
    else if ('reload' in message) reload();
    else showProblems(message.source, message.problems);
  });
}
