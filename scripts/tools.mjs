/** Commands of development begin with this: it installs what `npm start` leaves out or a pull has changed. */
import { ensureInstalled } from './setup.mjs';

ensureInstalled({ tools: true });
// Node reads TypeScript from here on.
await import('tsx');
