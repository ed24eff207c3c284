/** The commands of development begin with this: it installs what `npm start` leaves out, and lets Node read TypeScript. */
import { ensureInstalled, hasTools } from './setup.mjs';

if (!hasTools()) ensureInstalled({ tools: true });
await import('tsx');
