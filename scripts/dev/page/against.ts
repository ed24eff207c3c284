/**
 * The module of a remote in `npm run dev -- <remote> --against <url>`. The page is the deployed shell's, whose React
 * takes no hot updates: a change mounts the remote again in its place.
 */
import { followEvents } from './events';

followEvents(() => undefined);
export * from './remote';
