/**
 * Where the services are on one machine: each has an address of 127.0.0.0/8 of its own, so that all keep the ports that
 * they have in containers, and their configuration needs other names only.
 */
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { ROOT } from '../build/files';
import { scaled } from './compose';

/** Of the containers. On one machine whoever connects has 127.0.0.1. */
const NETWORK = '172.28.0.0/24';

const isFree = (host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(5432, host, () => server.close(() => resolve(true)));
  });

export type Places = Record<string, string>;

/** An address for each service, that no other cluster has. */
export async function freePlaces(): Promise<Places> {
  for (let net = 1; net < 255; net += 1) {
    const places = Object.fromEntries(scaled.map((name, n) => [name, `127.28.${net}.${n + 2}`]));
    if ((await Promise.all(Object.values(places).map(isFree))).every(Boolean)) return places;
  }
  throw new Error('no addresses of 127.28.0.0/16 are free');
}

/** With addresses in place of names of services. */
export const placed = (text: string, places: Places): string =>
  places[text] ??
  text
    .replaceAll(NETWORK, '127.0.0.1/32')
    .replace(/(?<=[ @])([\w-]+)(?=:\d)|(?<= host=)([\w-]+)/g, (name) => places[name] ?? name);

/** Which service has which of the files in docs/deploy that say where it listens. */
const LISTENERS = {
  'haproxy.cfg': 'haproxy',
  'primary.cfg': 'primary',
  'nginx.conf': 'nginx',
  'pgbouncer.ini': 'pgbouncer',
} as const;

/** Writes the files of docs/deploy into `folder` as this machine needs them. */
export function writeConfiguration(folder: string, places: Places): void {
  const from = path.join(ROOT, 'docs/deploy');
  for (const file of readdirSync(from)) {
    const to = path.join(folder, file);
    cpSync(path.join(from, file), to);
    if (!(file in LISTENERS)) continue;
    const host = places[LISTENERS[file as keyof typeof LISTENERS]] ?? '';
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${folder}/nginx-${kind};`,
    );
    const text = placed(readFileSync(from + path.sep + file, 'utf8'), places)
      .replace(/(bind) :/g, `$1 ${host}:`)
      .replace(/(listen) (\d+;)/, `$1 ${host}:$2`)
      .replace('listen_addr = 0.0.0.0', `listen_addr = ${host}`)
      .replace('/tmp/users', `${folder}/users`)
      .replace('http {', `http {\n  access_log off;\n  ${temporary.join('\n  ')}`);
    writeFileSync(to, text, { mode: statSync(to).mode });
  }
}
