/** The remote in `npm run dev -- <remote> --against <url>`: a deployed shell takes no hot updates. */
import { followEvents } from './events';

followEvents(() => undefined);
export * from './remote';
