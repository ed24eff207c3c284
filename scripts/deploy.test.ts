/** What is deployed with containers, held to the source: no container runs here, but what would run in one does. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig, ROLES, SETTINGS } from '../api/src/config';
import { eventually } from '../api/src/testing/eventually';
import { ROOT } from './build/files';
import { filled, own, scaled, services, volumes } from './cluster/compose';
import { placed, writeConfiguration } from './cluster/places';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const compose = read('docker-compose.yml');
const GIVEN: Record<string, string> = { POSTGRES_PASSWORD: 'secret', SECRETS_KEY: Buffer.alloc(32).toString('base64') };

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
      readConfig(Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filled(value, GIVEN)]))),
    ).toMatchObject({
      DATABASE_URL: expect.stringContaining(':secret@'),
    });
    const places = service.volumes.map((volume) => volume.split(':')[1]);
    expect(places).toEqual(expect.arrayContaining(['/data', '/app/dist/remotes']));
    expect(places.includes('/backups')).toBe(environment.BACKUP_DIR === '/backups');
  });

  it('waits for a process that stops for as long as docs/operations.md allows it', () => {
    expect(read('docs/operations.md')).toContain('counts its journal and leaves, within 60 s');
    expect(Number(/stop_grace_period: (\d+)s/.exec(compose)?.[1])).toBeGreaterThan(60);
  });

  it('has every role twice when it is scaled, and a folder of data for each process', () => {
    const roles = own.filter(([name]) => scaled.includes(name)).map(([, { environment }]) => environment.ROLES);
    expect(roles.sort()).toEqual([...ROLES, ...ROLES].sort());
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

  it('HAProxy and nginx take their configuration, which names the services', () => {
    writeConfiguration(folder, Object.fromEntries(scaled.map((name, n) => [name, `127.0.0.${n + 2}`])));
    for (const file of ['haproxy.cfg', 'primary.cfg'])
      execFileSync('haproxy', ['-c', '-q', '-f', path.join(folder, file)]);
    execFileSync('nginx', ['-t', '-q', '-c', path.join(folder, 'nginx.conf')]);
    for (const [role, file] of [
      ['stratum', 'haproxy.cfg'],
      ['web', 'nginx.conf'],
    ] as const)
      for (const [name, { environment }] of own)
        expect(read(`docs/deploy/${file}`).includes(` ${name}:`)).toBe(environment.ROLES === role);
  });

  it('who needs the database is led to the primary, and HAProxy asks both which of them it is', () => {
    const urls = own.flatMap(([name, { environment }]) =>
      scaled.includes(name)
        ? [filled(environment.DATABASE_URL ?? '', GIVEN), filled(environment.DATABASE_DIRECT_URL ?? '', GIVEN)]
        : [],
    );
    expect([...new Set(urls.map((url) => new URL(url).host))]).toEqual(['pgbouncer:6432', 'primary:5432']);
    expect(read('docs/deploy/pgbouncer.ini')).toContain(' host=primary ');
    const databases = scaled.filter((name) => services[name]?.environment.PRIMARY === 'primary');
    expect(databases).toHaveLength(2);
    for (const name of databases) expect(read('docs/deploy/primary.cfg')).toContain(` ${name}:5432`);
    // The start of its session, as bytes.
    const asked = 'user\0probe\0database\0postgres\0';
    expect(read('docs/deploy/primary.cfg')).toContain(Buffer.from(asked).toString('hex'));
    expect(read('docs/deploy/primary.cfg')).toContain(Buffer.from('in_hot_standby\0off\0').toString('hex'));
    expect(read('docs/deploy/pg_hba.conf')).toMatch(/^host postgres +probe samenet trust$/m);
  });

  it('addresses take the place of names of services, and of nothing else', () => {
    const places = { 'web-a': '127.0.0.2', primary: '127.0.0.3' };
    expect(placed('server web-a web-a:3000;', places)).toBe('server web-a 127.0.0.2:3000;');
    expect(placed('listen primary', places)).toBe('listen primary');
    expect(placed('pool = host=primary dbname=pool', places)).toBe('pool = host=127.0.0.3 dbname=pool');
    expect(placed('postgres://pool:x@primary:5432/pool', places)).toBe('postgres://pool:x@127.0.0.3:5432/pool');
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
