/** What is deployed with containers, held to the source: no container runs here, but what would run in one does. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { readConfig, ROLES, SETTINGS } from '../api/src/config';
import { eventually } from '../api/src/testing/eventually';
import { ROOT } from './build/files';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const compose = read('docker-compose.yml');
const serviceSchema = z.object({
  profiles: z.array(z.string()),
  build: z.unknown().optional(),
  environment: z.record(z.string(), z.coerce.string()).default({}),
  volumes: z.array(z.string()).default([]),
  healthcheck: z.unknown().optional(),
});
const { services, volumes } = z
  .object({ services: z.record(z.string(), serviceSchema), volumes: z.record(z.string(), z.unknown()) })
  .parse(parse(compose, { merge: true }));
/** Services of this repository's image. */
const own = Object.entries(services).filter(([, { build }]) => build === '.');

const GIVEN: Record<string, string> = { POSTGRES_PASSWORD: 'secret', SECRETS_KEY: Buffer.alloc(32).toString('base64') };
/** As compose fills in a value. */
const filled = (value: string): string =>
  value.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, kind: string, rest: string) =>
    kind === '-' ? rest : (GIVEN[name] ?? ''),
  );

describe('docker-compose.yml', () => {
  it('has no demo and no password of its own', () => {
    expect(compose).not.toMatch(/DEMO/);
    expect(compose.match(/\$\{(?:POSTGRES_PASSWORD|SECRETS_KEY)(?!:\?)/g)).toBeNull();
    expect(compose).not.toMatch(/PASSWORD: *['"]?\w/);
  });

  it.each(own)('%s: the server takes its settings; its data and the remotes are kept', (_, service) => {
    const { environment } = service;
    expect(Object.keys(environment).filter((name) => !SETTINGS.includes(name))).toEqual([]);
    expect(
      readConfig(Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filled(value)]))),
    ).toMatchObject({
      DATABASE_URL: expect.stringContaining(':secret@'),
    });
    const places = service.volumes.map((volume) => volume.split(':')[1]);
    expect(places).toEqual(expect.arrayContaining(['/data', '/app/dist/remotes']));
    expect(places.includes('/backups')).toBe(environment.BACKUP_DIR === '/backups');
  });

  it('has every role twice when it is scaled, and a folder of data for each process', () => {
    const scaled = own.filter(([, { profiles }]) => profiles.includes('scaled'));
    expect(scaled.map(([, { environment }]) => environment.ROLES).sort()).toEqual([...ROLES, ...ROLES].sort());
    const data = own.flatMap(([, service]) => service.volumes.filter((volume) => volume.endsWith(':/data')));
    expect(new Set(data).size).toBe(own.length);
  });

  it('checks the health of each service, and mounts what there is', () => {
    expect(read('Dockerfile')).toMatch(/^HEALTHCHECK /m);
    const unchecked = Object.entries(services).filter(([, { build, healthcheck }]) => build !== '.' && !healthcheck);
    expect(unchecked).toEqual([]);
    const mounted = Object.values(services).flatMap((service) =>
      service.volumes.map((volume) => volume.split(':')[0] ?? ''),
    );
    expect(mounted.filter((name) => name.startsWith('.') && !existsSync(path.join(ROOT, name)))).toEqual([]);
    expect([...new Set(mounted.filter((name) => !name.startsWith('.')))].sort()).toEqual(Object.keys(volumes).sort());
  });
});

describe('what stands in front', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'front-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  /** The file with names of services as addresses: they have none here. */
  const here = (file: string): string => {
    const to = path.join(folder, path.basename(file));
    const names = own.map(([name]) => name).join('|');
    writeFileSync(to, read(file).replace(new RegExp(`(?<= )(?:${names}):(\\d+)`, 'g'), '127.0.0.1:1$1'));
    return to;
  };

  it('HAProxy and nginx take their configuration, which names the services', () => {
    execFileSync('haproxy', ['-c', '-q', '-f', here('docs/deploy/haproxy.cfg')]);
    const nginx = here('docs/deploy/nginx.conf');
    if (existsSync('/usr/sbin/nginx')) execFileSync('nginx', ['-t', '-q', '-c', nginx]);
    for (const [role, file] of [
      ['stratum', 'haproxy.cfg'],
      ['web', 'nginx.conf'],
    ] as const)
      for (const [name, { environment }] of own)
        expect(read(`docs/deploy/${file}`).includes(` ${name}:`)).toBe(environment.ROLES === role);
  });

  it('pgbouncer prepares its connections as the server asks for', () => {
    const [line = ''] = /connect_query=.*/.exec(read('docs/operations.md')) ?? [];
    expect(line).not.toBe('');
    expect(read('docs/deploy/pgbouncer.ini')).toContain(line);
  });
});

it('the image has all that the server needs, and nothing that develops it', async () => {
  const image = mkdtempSync(path.join(tmpdir(), 'image-'));
  const [, last = ''] = read('Dockerfile').split(/^FROM (?!.* AS )/m);
  const copies = [...last.matchAll(/^COPY --from=build (?:--chown=\S+ )?\/app\/(\S+) \.\/(\S+)$/gm)];
  expect(copies.length).toBe(last.match(/^COPY /gm)?.length);
  const development = Object.keys((JSON.parse(read('package.json')) as { devDependencies: object }).devDependencies);
  try {
    for (const [, from = '', to = ''] of copies) {
      expect(development.map((name) => `node_modules/${name}`)).not.toContain(from);
      // Before a build there are no pages: the server starts without.
      if (from.startsWith('dist') && !existsSync(path.join(ROOT, from))) continue;
      mkdirSync(path.dirname(path.join(image, to)), { recursive: true });
      cpSync(path.join(ROOT, from), path.join(image, to), { recursive: true });
    }
    const server = spawn(process.execPath, ['api/dist/main.mjs'], {
      cwd: image,
      env: {
        PATH: process.env.PATH,
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
  } finally {
    rmSync(image, { recursive: true });
  }
});
