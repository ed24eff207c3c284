/** Runs the profiles of docker-compose.yml under miners and breaks them. By hand, before a release. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from './command-line.mjs';
import { Project } from './compose/engine';
import { checkScaled } from './compose/scaled';
import { checkSmall } from './compose/small';
import { Report } from './compose/report';

/** Host part of the project's network; the miners' addresses are in it, above those of the containers. */
const NETWORK = '172.31';
const BUILDS_ON_HOST = ['pool', 'web-a', 'etcd-1'];

async function main(only: string | undefined, miners: number, build: boolean): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'compose-check-'));
  const override = path.join(folder, 'build.yml');
  const services = BUILDS_ON_HOST.map((name) => `  ${name}: { build: { network: host } }\n`).join('');
  // The miners keep the balancer's address, which a restart could change.
  const fixed = `  haproxy: { networks: { default: { ipv4_address: ${NETWORK}.0.250 } } }\n`;
  writeFileSync(override, `services:\n${services}${fixed}`);
  const settings = {
    // Every character that has a meaning in an address or a file of users.
    POSTGRES_PASSWORD: `p@/#:%"'${randomBytes(12).toString('hex')}`,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    PUBLIC_URL: 'https://pool.example',
    SUBNET: `${NETWORK}.0.0/16`,
    LISTEN: '127.0.0.2',
    ENV_FILE: path.join(folder, 'env'),
  };
  const report = new Report();
  const { CITUS = '' } = process.env;
  const projects = (['small', 'scaled', ...(CITUS ? (['distributed'] as const) : [])] as const)
    .filter((profile) => (only ?? profile) === profile)
    .map((profile) => {
      const own = { ...settings, CITUS: profile === 'distributed' ? CITUS : '' };
      return new Project(`check-${profile}`, profile, own, [override]);
    });
  // Addresses of miners are this machine's own, without being given to a device one by one.
  const route = ['route', 'replace', 'local', `${NETWORK}.64.0/18`, 'dev', 'lo'];
  execFileSync('ip', route);
  try {
    const areFree = await report.check('docker compose answers, the ports are free', async () => {
      const taken = new Set((await Promise.all(projects.map((project) => project.portsTaken()))).flat());
      if (taken.size > 0) throw new Error(`Something else listens at ${[...taken].join(', ')}: stop it first.`);
    });
    for (const project of areFree ? projects : []) {
      const images = `${project.profile}: its images are built`;
      if (build && !(await report.check(images, () => project.compose('build')))) continue;
      if (project.profile === 'small') await checkSmall(project, report);
      else await checkScaled(project, report, { network: NETWORK, miners });
    }
  } finally {
    execFileSync('ip', ['route', 'del', 'local', `${NETWORK}.64.0/18`, 'dev', 'lo']);
    rmSync(folder, { recursive: true });
    report.print();
  }
}

void runCommand(
  {
    name: 'compose:check',
    what:
      'Runs the profiles of docker-compose.yml in the container engine of DOCKER_HOST, brings faults about and says what\n' +
      'holds. Needs root, for the addresses of the miners.',
    options: {
      only: { type: 'string', what: 'small, scaled or distributed (CITUS: an image that has it)' },
      miners: { type: 'string', what: 'how many mine, 500' },
      'no-build': { type: 'boolean', what: 'takes the images that there are' },
    },
  },
  async ({ values: { only, miners = '500', 'no-build': noBuild } }) => {
    await main(only, Number(miners), !noBuild);
    // Connections that are kept open would keep this process running.
    process.exit();
  },
);
