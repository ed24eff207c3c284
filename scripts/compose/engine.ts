/** The container engine, asked through `docker compose` for one project of docker-compose.yml. */
import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../build/files';

const asked = promisify(execFile);

/** Version of the workers' remote that the newer image brings. */
export const NEXT = '9.9.9-next';

/** `settings`: what `.env` would have. Every command rejects with what it printed. */
export class Project {
  constructor(
    readonly name: string,
    readonly profile: 'small' | 'scaled' | 'distributed',
    readonly settings: Record<string, string>,
    /** Files that come after docker-compose.yml and change it. */
    private readonly overrides: readonly string[] = [],
  ) {}

  private async docker(...args: string[]): Promise<string> {
    const env = { ...process.env, ...this.settings };
    const { stdout } = await asked('docker', args, { cwd: ROOT, env, maxBuffer: 1e8 });
    return stdout;
  }
  compose(...args: string[]): Promise<string> {
    const files = ['docker-compose.yml', ...this.overrides].flatMap((file) => ['-f', file]);
    // The checkout's own .env is not this project's.
    return this.docker(
      ...['compose', '--progress', 'quiet', '--env-file', '/dev/null', '-p', this.name, ...files],
      ...['--profile', this.profile, ...args],
    );
  }

  /** Runs a command of the documents. There is no terminal to ask, and images are built by `compose('build')`. */
  run(command: readonly string[]): Promise<string> {
    const given = command.filter(
      (word, n) => !['--profile', '--build'].includes(word) && command[n - 1] !== '--profile',
    );
    if (given[0] === 'exec') given.splice(1, 0, '-T');
    if (given[0] === 'up') given.push('--no-build', '--wait');
    return this.compose(...given);
  }
  up = (...args: string[]): Promise<string> => this.compose('up', '-d', '--wait', '--wait-timeout', '300', ...args);
  /** Runs a command line in a service's container, as the documents have it. */
  exec = (service: string, ...command: string[]): Promise<string> => this.compose('exec', '-T', service, ...command);
  logs = (...services: string[]): Promise<string> => this.compose('logs', '--no-color', ...services);
  container = (service: string): string => `${this.name}-${service}-1`;
  kill = (service: string): Promise<string> => this.docker('kill', '-s', 'KILL', this.container(service));
  /** Stops or continues every process of a container. The first one takes such signals from outside only. */
  private async signalAll(service: string, signal: 'STOP' | 'CONT'): Promise<void> {
    const first = () => this.docker('kill', '-s', signal, this.container(service));
    const others = () => this.exec(service, 'sh', '-c', `kill -${signal} -1`);
    for (const step of signal === 'STOP' ? [others, first] : [first, others]) await step();
  }
  freeze = (service: string): Promise<void> => this.signalAll(service, 'STOP');
  thaw = (service: string): Promise<void> => this.signalAll(service, 'CONT');
  /** An image as a later release makes it: another version of one remote. The pool's services use it from then on. */
  async buildNext(): Promise<void> {
    const folder = path.dirname(this.settings.ENV_FILE ?? '');
    writeFileSync(
      path.join(folder, 'Dockerfile'),
      `FROM mining-pool:1.0.0
USER root
RUN cd bundled/workers && old=$(node -p "require('./current.json').version") && mv $old ${NEXT} \
  && sed -i "s/$old/${NEXT}/" current.json ${NEXT}/manifest.json
USER node
`,
    );
    await this.docker('build', '--network', 'host', '-qt', 'mining-pool:check-next', folder);
    this.settings.POOL_VERSION = 'check-next';
  }
  /** Begins (`-I`) or ends (`-D`) to drop every packet to and from a container, as a network does that is cut. */
  async firewall(service: string, rule: '-I' | '-D'): Promise<void> {
    const pid = await this.inspect<number>(service, '.State.Pid');
    for (const [chain, way] of [
      ['INPUT', '-i'],
      ['OUTPUT', '-o'],
    ])
      await asked('nsenter', `-t ${pid} -n iptables ${rule} ${chain} ! ${way} lo -j DROP`.split(' '));
  }

  async inspect<T>(service: string, format: string): Promise<T> {
    return JSON.parse(await this.docker('inspect', '-f', `{{json ${format}}}`, this.container(service))) as T;
  }
  async addressOf(service: string): Promise<string> {
    const networks = await this.inspect<Record<string, { IPAddress: string }>>(service, '.NetworkSettings.Networks');
    return Object.values(networks)[0]?.IPAddress ?? '';
  }
  /** Where the profile's services listen on this machine, and something else does already. */
  async portsTaken(): Promise<string[]> {
    const { services } = JSON.parse(await this.compose('config', '--format', 'json')) as {
      services: Record<string, { ports?: { host_ip: string; published: string }[] }>;
    };
    const isTaken = ({ host_ip: host, published }: { host_ip: string; published: string }): Promise<boolean> =>
      new Promise((resolve) => {
        const server = createServer();
        server.once('error', () => resolve(true));
        server.listen(Number(published), host, () => server.close(() => resolve(false)));
      });
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    const taken = await Promise.all(ports.map(isTaken));
    return ports.filter((_, n) => taken[n]).map(({ host_ip: host, published }) => `${host}:${published}`);
  }
  remove = (): Promise<string> => this.compose('down', '-v', '--remove-orphans', '-t', '5');
}

/** Each `docker compose` of the pages for containers, in its order: quoted, or a line of a block without the words behind it. */
export function commandsOfTheRunbook(): string[][] {
  const pages = ['install.md', 'several-machines.md'].map((page) =>
    readFileSync(path.join(ROOT, 'docs', page), 'utf8'),
  );
  const commands = pages.join('\n').matchAll(/(?:^|`)docker compose (.+?)(?: {3,}|`|$)/gm);
  return Array.from(commands, ([, command = '']) => command.split(' '));
}
