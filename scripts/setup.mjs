/** Installs what the other scripts need. Plain Node without packages: a new machine runs this first. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { HEADLESS, installedBrowser, wholeBrowser } from './browser.cjs';

export const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const STAMP = path.join(ROOT, 'node_modules', '.installed-lock');

export const say = (text) => process.stdout.write(`\u2022 ${text}\n`);

export function run(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', ...options });
  if (done.error) throw done.error;
  return done.status ?? 1;
}

/** Supported versions of Node (`engines` in package.json): from which minor version of each major one. */
const SUPPORTED = { 20: 19, 22: 12, 24: 0 };

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (minor >= SUPPORTED[major]) return;
  if (major > 20)
    return say(`Supported are Node 20 from 20.19, 22 from 22.12, and 24; this is ${process.versions.node}.`);
  process.stderr.write(`Node 24, 22 or 20 (from 20.19) is needed; this is ${process.versions.node}.\n`);
  process.exit(1);
}

const isInstalled = (name) => existsSync(path.join(ROOT, 'node_modules', name));
/** Whether the root's packages are installed: the tools of tests, checks and `npm run dev`. */
const hasTools = () => isInstalled('jest');

/** Installs the workspaces' packages, and with `tools` the root's, unless they are as the lock file says. */
export function ensureInstalled({ tools = hasTools() } = {}) {
  requireNode();
  const lock = createHash('sha256')
    .update(readFileSync(path.join(ROOT, 'package-lock.json')))
    .digest('hex');
  const isCurrent = isInstalled('tsx') && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lock;
  if (isCurrent && (!tools || hasTools())) return;
  say(`Installing ${isCurrent ? 'tools of tests and checks' : 'packages'} (less than a minute, once)`);
  // What is added later is added beside a server that may be running: `npm ci` would remove its packages.
  const command = isCurrent ? ['install', '--no-save'] : ['ci', ...(tools ? [] : ['--workspaces'])];
  const options = { shell: process.platform === 'win32' };
  if (run('npm', [...command, '--include=dev', '--loglevel=error'], options) !== 0) {
    process.stderr.write(`npm ${command[0]} failed: see above. Is the package registry reachable?\n`);
    process.exit(1);
  }
  mkdirSync(path.dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, lock);
}

/** The source of the independent miner is beside the checkout, and the program is not built yet. */
const buildsMiner = () =>
  !process.env.MINERD &&
  existsSync(path.join(ROOT, '../shared/interop/cpuminer.tar.gz')) &&
  !existsSync(path.join(ROOT, '.cache/interop'));
/** Installing a server's package starts no server: the tests start their own. */
const NO_SERVICES = `rule=/usr/sbin/policy-rc.d; if [ ! -e $rule ]; then trap 'rm -f $rule' EXIT; printf '#!/bin/sh\nexit 101\n' >$rule; chmod +x $rule; fi`;
const hasAll = (...files) => files.every((file) => existsSync(file));
const hasPostgres = () =>
  existsSync('/usr/lib/postgresql') &&
  readdirSync('/usr/lib/postgresql').some((version) => existsSync(`/usr/lib/postgresql/${version}/bin/initdb`));

/** Packages of Debian that the tests need, by whether the machine has what they are for. */
const toolPackages = () => [
  // Older releases of Debian and Ubuntu have no headless shell.
  [process.env.CHROME_PATH || existsSync(HEADLESS), 'chromium-headless-shell'],
  [process.env.CHROME_PATH || wholeBrowser(), 'chromium fonts-liberation'],
  [hasAll('/usr/bin/firefox-esr', '/usr/bin/WebKitWebDriver', '/usr/bin/Xvfb'), 'firefox-esr webkit2gtk-driver xvfb'],
  // What operators run beside the pool: balancers, a pooler, and what checks the alarms.
  [hasAll('/usr/sbin/haproxy', '/usr/sbin/pgbouncer', '/usr/bin/promtool'), 'haproxy pgbouncer prometheus'],
  [hasPostgres(), 'postgresql'],
  // A restore to a point in time is tested before a release.
  [!process.env.HEAVY || hasAll('/usr/bin/pgbackrest'), 'pgbackrest'],
  [
    !buildsMiner() || hasAll('/usr/bin/gcc', '/usr/bin/make', '/usr/bin/autoreconf', '/usr/include/jansson.h'),
    'gcc libc6-dev make automake autoconf libcurl4-openssl-dev libjansson-dev',
  ],
];

/** Installs what the tests need and the machine lacks, from Debian's packages. Resolves when done. */
export function installTestTools() {
  const missing = toolPackages().flatMap(([isThere, names]) => (isThere ? [] : [names]));
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return Promise.resolve();
  say('Installing browsers, PostgreSQL and a compiler for the tests');
  const get = 'apt-get install -y -qq --no-install-recommends';
  const steps = [NO_SERVICES, 'apt-get update -qq >/dev/null 2>&1', ...missing.map((names) => `${get} ${names}`)];
  const child = spawn('sh', ['-c', steps.join('; ')], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
}

export async function findChromium() {
  const found = installedBrowser();
  if (found) return found;
  say("Downloading Playwright's Chromium for the browser tests");
  run('npx', ['playwright', 'install', 'chromium'], { timeout: 300_000 });
  const { chromium } = await import('@playwright/test');
  if (existsSync(chromium.executablePath())) return chromium.executablePath();
  process.stderr.write('No Chromium found, and none could be installed. Install one, or name it in CHROME_PATH.\n');
  process.exit(1);
}
