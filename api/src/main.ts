/** `node --import tsx api/src/main.ts`: starts the pool, says where it is, stops gracefully. */
import { ALGORITHM_NAMES, ALGORITHMS } from '@pool/shared/domain';
import { ConfigError, readConfig, settingOf } from './config';
import { FolderRefused } from './lock';
import { SecretsError } from './secrets';
import { createLog } from './log';
import { start, type Running } from './start';
import { BadUpstreamUrl } from './stratum';

/** Whoever hangs longer than this is cut off. */
const STOP_PATIENCE_MS = 15_000;

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

function greeting({ url, stratum, database, demo, withoutUpstream }: Running): string {
  const lines = [
    '',
    '  Mining Pool is running',
    '',
    `  Open        ${url.replace('127.0.0.1', 'localhost')}`,
    ...(demo
      ? [
          '  Sign in     demo (a miner), admin (the pool), legacy (a legacy miner)',
          `              password: ${demo.password ?? 'the one printed when the demo was made'}`,
        ]
      : ['  Sign in     create an account on the page']),
    `  Mine        ${stratum.map(({ algorithm, port }) => `${ALGORITHMS[algorithm].label} stratum+tcp://localhost:${port}`).join('   ')}`,
    '              as account.worker, any password',
    `  Database    ${database === 'embedded' ? 'embedded (does not survive a power cut: use DATABASE_URL for real money)' : 'PostgreSQL'}`,
    ...withoutUpstream.map(
      (algorithm) =>
        `  Note        no upstream pool for ${ALGORITHMS[algorithm].label}: set UPSTREAM_${ALGORITHMS[algorithm].label}`,
    ),
    '',
  ];
  return lines.join('\n');
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.LOG_LEVEL);
  const starting = start(config, log, say, () => {
    log.fatal(
      { folder: config.DATA_DIR },
      'another process has taken DATA_DIR: this one ends at once and writes nothing',
    );
    process.exit(1);
  });
  let stopping = false;
  // Also while it starts: a first start that is cut off would leave half a database.
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    starting
      .then((running) => {
        setTimeout(() => {
          log.error('stopping took too long');
          process.exit(1);
        }, STOP_PATIENCE_MS).unref();
        return running.stop();
      })
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const running = await starting;
  if (!stopping) say(greeting(running));
}

/** What the person who starts it can mend is said in a sentence; anything else with all there is. */
function explain(error: unknown): string {
  if (
    error instanceof ConfigError ||
    error instanceof FolderRefused ||
    error instanceof SecretsError ||
    error instanceof BadUpstreamUrl
  )
    return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    return `${error.message}. Another program uses that port: set PORT or ${ALGORITHM_NAMES.map((name) => settingOf('STRATUM_PORT', name)).join(' / ')}.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
