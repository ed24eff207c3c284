/** `node api/dist/main.mjs`: starts the pool, prints its addresses, stops gracefully. */
import { ALGORITHM_NAMES, ALGORITHMS } from '@pool/shared/domain';
import { SETUP_WORDS } from '../admin/setup';
import { type Config, readConfig, ROLES, settingOf } from '../platform/config';
import { OperatorError } from '../platform/operator-error';
import { createLog } from '../platform/log';
import { BUILD } from '../ops/observe/build';
import { keepFilesPrivate } from '../platform/private-files';
import { startTraces } from '../platform/traces/traces';
import { start, type Running } from './start';

/** Exit with an error when stopping takes longer; with ROLES miners are sent to other processes first. */
const STOP_TIMEOUT_MS = 15_000;
const SHARED_STOP_TIMEOUT_MS = 60_000;

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

function greeting(
  { url, roles, stratum, database, away, demo, withoutUpstream, adminCode, missing }: Running,
  { SIGN_UP_URL, PUBLIC_URL }: Config,
): string {
  const mine = stratum.map(({ algorithm, port }) => `${ALGORITHMS[algorithm].label} stratum+tcp://localhost:${port}`);
  const open = url.replace('127.0.0.1', 'localhost');
  const databaseText =
    database === 'embedded' ? 'embedded (does not survive a power cut: use DATABASE_URL for real money)' : 'PostgreSQL';
  const lines = [
    '',
    '  Mining Pool is running',
    '',
    ...(roles.length < ROLES.length ? [`  Roles       ${roles.join(', ')}`] : []),
    `  Open        ${open}`,
    ...(!roles.includes('web')
      ? ['              /health, /ready and /metrics']
      : demo
        ? [
            '  Sign in     demo (a miner), admin (the pool), legacy (a legacy miner)',
            `              password: ${demo.password ?? 'the one printed when the demo was made'}`,
          ]
        : ['  Sign in     create an account on the page']),
    ...(adminCode === null || !roles.includes('web')
      ? []
      : [
          `  Admin       ${PUBLIC_URL ?? open}${SIGN_UP_URL}?operator=${adminCode}`,
          '              makes who signs up there the first admin; valid until there is one',
        ]),
    ...(mine.length ? [`  Mine        ${mine.join('   ')}`, '              as account.worker, any password'] : []),
    `  Database    ${databaseText}`,
    ...(away === null ? [] : [`  Note        ${away}`, '              Miners mine meanwhile; the rest waits for it.']),
    ...(missing.includes('upstream') ? [] : withoutUpstream).map((algorithm) => {
      const { label, setting } = ALGORITHMS[algorithm];
      return `  Note        no upstream pool for ${label}: set UPSTREAM_${setting}`;
    }),
    ...missing.map((item, index) => `  ${index ? '       ' : 'Missing'}     ${SETUP_WORDS[item]}`),
    '',
  ];
  return lines.join('\n');
}

async function main(): Promise<void> {
  keepFilesPrivate();
  const config = readConfig(process.env);
  const log = createLog(config.LOG_LEVEL);
  const stopTraces = config.OTEL_EXPORTER_OTLP_ENDPOINT
    ? await startTraces(config.OTEL_TRACES_SAMPLER_ARG, BUILD, log)
    : async () => undefined;
  const starting = start(config, log, {
    say,
    lost: (taken, details) => {
      log.fatal(details, `another process has taken ${taken}: this one ends at once and writes nothing`);
      process.exit(1);
    },
    failed: (error) => {
      process.stderr.write(`${explain(error)}\n`);
      process.exit(1);
    },
  });
  let stopping = false;
  const giveUpLater = (): void => {
    const timeout = config.ROLES.length > 0 ? SHARED_STOP_TIMEOUT_MS : STOP_TIMEOUT_MS;
    setTimeout(() => {
      log.error('stopping took too long');
      process.exit(1);
    }, timeout).unref();
  };
  // During the start, wait for its end: an interrupted first start would leave half a database. Not so of a PostgreSQL,
  // whose migrations are one transaction: it may be silent.
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    if (config.DATABASE_URL) giveUpLater();
    starting
      .then((running) => {
        giveUpLater();
        return running.stop();
      })
      .then(stopTraces)
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const running = await starting;
  if (!stopping) say(greeting(running, config));
}

/** Calls of the system that fail when this machine has no such address, or this user may not use the port. */
const LISTENING = new Set(['listen', 'bind', 'getaddrinfo']);

/** A sentence for errors that the operator can fix; the full stack for others. */
function explain(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    const settings = ALGORITHM_NAMES.map((name) => settingOf('STRATUM_PORT', name)).join(' / ');
    return `${error.message}. Another program uses that port: set PORT or ${settings}.`;
  }
  if (error instanceof Error && 'syscall' in error && LISTENING.has(String(error.syscall)))
    return `${error.message}. HOST and STRATUM_HOST have to be addresses of this machine, and their ports free for this user.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
