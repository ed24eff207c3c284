/** The start without a database: its address says so until the database is back, and then everything starts. */
import { setTimeout } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import type { Config } from '../platform/config';
import { absenceOf } from '../platform/db/away';
import type { Connected } from '../platform/db/database';
import type { Logger } from '../platform/log';
import type { ShareIngest } from '../mining/shares/ingest';
import { Shutdown } from './shutdown';
import { directionOf, type Language, LANGUAGES } from '@pool/shared/i18n/languages';
import { takesPage } from '../http/server/accepts';
import { problems } from '../platform/refused';
import { sendProblem } from '../http/server/problem';
import { healthServer, type HealthServerOptions } from './health';

const SENTENCES: Record<Language, string> = {
  en: 'The pool’s database cannot be reached. Miners keep mining, their shares are kept. This page tries again.',
  ru: 'База данных пула недоступна. Майнеры продолжают работу, их шары сохраняются. Страница повторит попытку.',
  fr: 'La base de données du pool est injoignable. Le minage continue, les shares sont conservés. Cette page réessaie.',
  ar: 'تعذّر الوصول إلى قاعدة بيانات المجمّع. يستمر التعدين وتُحفظ المشاركات. ستعيد هذه الصفحة المحاولة.',
};
const RETRY_S = 5;
const PAGE =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mining Pool</title>' +
  `<meta http-equiv="refresh" content="${RETRY_S}"></head><body>` +
  LANGUAGES.map((language) => `<p lang="${language}" dir="${directionOf(language)}">${SENTENCES[language]}</p>`).join(
    '',
  ) +
  '</body></html>';

type Waiting = { url: string; port: number; close(): Promise<void> };

async function serveWaiting({ port, ...options }: HealthServerOptions & { port: number }): Promise<Waiting> {
  const app = await healthServer(options);
  app.all('/*', { schema: { hide: true } }, (request, reply) =>
    takesPage(request)
      ? reply
          .code(503)
          .header('retry-after', RETRY_S)
          .header('cache-control', 'no-store')
          .type('text/html; charset=utf-8')
          .send(PAGE)
      : sendProblem(reply, problems.unavailable('database_unavailable')),
  );
  const url = await app.listen({ port, host: options.config.HOST });
  return { url, port: Number(new URL(url).port), close: () => app.close() };
}

const RETRY_MS = 2000;

type LaterOptions = {
  config: Config;
  database: Connected;
  /** Locks the database and brings it to the newest version. Throws `DatabaseAbsent` while it is away. */
  open(): Promise<void>;
  /** Left out: no miners are served here. */
  shares?: ShareIngest;
  metrics: Registry;
  log: Logger;
  shutdown: Shutdown;
  failed(error: unknown): void;
  serve(port: number, shutdown: Shutdown): Promise<unknown>;
};

/** Says at the pool's address that the database is away, until it is back; then serves. Returns the address. */
export async function serveLater(options: LaterOptions): Promise<string> {
  const { config, open, log, shutdown, failed, serve } = options;
  const wait = (port: number) => serveWaiting({ ...options, port });
  let waiting = await wait(config.PORT);
  const { url, port } = waiting;
  const stopped = new AbortController();
  let parts = new Shutdown();
  let said = '';

  /** True: everything is started. */
  const attempt = async (): Promise<boolean> => {
    parts = new Shutdown();
    let isOpen = true;
    try {
      await open();
      await waiting.close();
      isOpen = false;
      await serve(port, parts);
      return true;
    } catch (error) {
      await parts.run(log);
      if (stopped.signal.aborted) return true;
      if (absenceOf(error) !== 'away') throw error;
      const why = error instanceof Error ? error.message : String(error);
      if (why !== said) log.warn({ err: error }, 'the database is still away');
      said = why;
      if (!isOpen) waiting = await wait(port);
      return false;
    }
  };
  const run = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      if (await attempt()) return;
      await setTimeout(RETRY_MS, null, { signal: stopped.signal }).catch(() => undefined);
    }
  };
  const running = run().catch(failed);
  shutdown.add(async () => {
    stopped.abort();
    await running;
    await parts.run(log);
    await waiting.close();
  });
  log.warn('the database is away: miners are served, everything else waits for it');
  return url;
}
