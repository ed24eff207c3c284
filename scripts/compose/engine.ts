/** The container engine, asked through `docker compose` for one project of docker-compose.yml. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from '../build/files';

const asked = promisify(execFile);

/** `settings`: what `.env` would have. Every command rejects with what it printed. */
export class Project {
  constructor(
    readonly name: string,
    private readonly profile: 'small' | 'scaled',
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
  services = async (): Promise<string[]> => (await this.compose('config', '--services')).trim().split('\n');

  async inspect<T>(service: string, format: string): Promise<T> {
    return JSON.parse(await this.docker('inspect', '-f', `{{json ${format}}}`, this.container(service))) as T;
  }
  async addressOf(service: string): Promise<string> {
    const networks = await this.inspect<Record<string, { IPAddress: string }>>(service, '.NetworkSettings.Networks');
    return Object.values(networks)[0]?.IPAddress ?? '';
  }
  /** Removes containers, network and volumes. */
  remove = (): Promise<string> => this.compose('down', '-v', '--remove-orphans', '-t', '5');
}
