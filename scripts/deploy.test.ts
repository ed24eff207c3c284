/**
 * What is deployed with containers, held to the source. `npm run compose:check` runs it in a container engine; here the
 * files are read, and what the image copies is run.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { SETTINGS } from '../api/src/platform/config';
import { eventually } from '../api/src/testing/eventually';
import { ROOT } from './build/files';
import { newFolder } from '../api/src/testing/folder';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const compose = read('docker-compose.yml');
const { services } = z
  .object({
    services: z.record(
      z.string(),
      z.object({
        image: z.string(),
        environment: z.record(z.string(), z.unknown()).default({}),
        read_only: z.literal(true),
      }),
    ),
  })
  .parse(parse(compose, { merge: true, maxAliasCount: -1 }));

describe('docker-compose.yml', () => {
  it('has no demo and no password of its own', () => {
    expect(compose).not.toMatch(/DEMO/);
    expect(compose.match(/\$\{(?:POSTGRES_PASSWORD|SECRETS_KEY)(?!:\?)/g)).toBeNull();
    expect(compose).not.toMatch(/PASSWORD: *['"]?\w/);
  });

  it('sets for the server what it takes, and nothing that it does not know', () => {
    const own = Object.values(services).filter(({ image }) => image.startsWith('mining-pool:'));
    expect(own).toHaveLength(7);
    const names = own.flatMap(({ environment }) => Object.keys(environment));
    // PGPASSWORD is read by the driver and by PostgreSQL's own programs: an address would need it encoded.
    expect([...new Set(names)].filter((name) => name !== 'PGPASSWORD' && !SETTINGS.includes(name))).toEqual([]);
  });
});

it('HAProxy takes its configuration', () => {
  const check = (...files: string[]): Buffer =>
    execFileSync('haproxy', ['-c', '-q', ...files.flatMap((file) => ['-f', path.join(ROOT, 'docs/deploy', file)])]);
  check('haproxy.cfg');
  check('primary.cfg');
});

it('pgbouncer prepares its connections as the server asks for', () => {
  const [line = ''] = /connect_query=.*/.exec(read('docs/several-machines.md')) ?? [];
  expect(line).not.toBe('');
  expect(read('docs/deploy/pgbouncer.ini')).toContain(line);
});

it('the image has all that the server needs, and nothing that develops it', async () => {
  const image = newFolder();
  const [, last = ''] = read('Dockerfile').split(/^FROM (?!.* AS )/m);
  const copies = [...last.matchAll(/^COPY --from=build (?:--chown=\S+ )?\/app\/(\S+) \.\/(\S+)$/gm)];
  expect(copies.length).toBe(last.match(/^COPY /gm)?.length);
  const development = ['package.json', 'scripts/package.json'].flatMap((file) =>
    Object.keys((JSON.parse(read(file)) as { devDependencies: object }).devDependencies),
  );
  for (const [, from = '', to = ''] of copies) {
    expect(development.map((name) => `node_modules/${name}`)).not.toContain(from);
    // Before a build there are no pages: the server starts without.
    if (/^(?:dist|bundled)/.test(from) && !existsSync(path.join(ROOT, from))) continue;
    mkdirSync(path.dirname(path.join(image, to)), { recursive: true });
    cpSync(path.join(ROOT, from), path.join(image, to), { recursive: true });
  }
  const server = spawn(process.execPath, ['api/dist/main.mjs'], {
    cwd: image,
    env: {
      PATH: process.env.PATH,
      DATABASE_TEMPLATE: process.env.DATABASE_TEMPLATE,
      NODE_ENV: 'production',
      DATA_DIR: path.join(image, 'data'),
      DEMO: '0',
      ...Object.fromEntries(['PORT', 'STRATUM_PORT_SHA256', 'STRATUM_PORT_SCRYPT'].map((name) => [name, '0'])),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  let said = '';
  server.stdout.on('data', (data: Buffer) => {
    said += data.toString();
  });
  await eventually(() => said.includes('Mining Pool is running') || server.exitCode !== null, 'the server');
  server.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(said).toContain('Mining Pool is running');
});
