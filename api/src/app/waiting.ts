/** Serves the pool's address while the database is away: every call and page says so and when to try again. */
import { directionOf, LANGUAGES, type Language } from '@pool/shared/i18n/languages';
import { takesPage } from '../http/server/accepts';
import { problems, sendProblem } from '../http/server/problem';
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

export type Waiting = { url: string; port: number; close(): Promise<void> };

export async function serveWaiting({ port, ...options }: HealthServerOptions & { port: number }): Promise<Waiting> {
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
