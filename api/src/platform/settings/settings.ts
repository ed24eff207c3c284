/** Every environment variable of the server, by group. docs/settings.md is written from here (`npm run settings`). */
import { data } from './data';
import { mining } from './mining';
import { money } from './money';
import { messages, remotes, watching } from './operation';
import { pages, people } from './pages';

/** Settings in the order of docs/settings.md. */
export const GROUPS = {
  Pages: pages,
  'Sign-in': people,
  Miners: mining,
  'Data and processes': data,
  Money: money,
  Messages: messages,
  Remotes: remotes,
  'Logs, figures and the demo': watching,
};

export const settings = { ...pages, ...people, ...mining, ...data, ...money, ...messages, ...remotes, ...watching };
