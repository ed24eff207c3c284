import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's folder: the sources and the bundle (`api/dist`) are at the same depth in it. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
