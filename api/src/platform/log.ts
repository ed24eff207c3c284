import { pino, type Logger } from 'pino';

export type { Logger };

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Logs JSON lines, so that external text cannot start a new line. Removes secrets. */
export const createLog = (level: string, destination?: Parameters<typeof pino>[1]): Logger =>
  pino(
    {
      level,
      redact: {
        paths: [
          'req.headers.authorization',
          'req.headers.cookie',
          'req.headers["x-xsrf-token"]',
          'res.headers["set-cookie"]',
          'headers.authorization',
          'headers.cookie',
          '*.password',
          '*.passwordHash',
          '*.token',
          'password',
          'token',
        ],
        censor: '[cut]',
      },
      serializers: {
        req: (req: { method?: string; url?: string; id?: unknown; ip?: string }) => ({
          id: req.id,
          method: req.method,
          url: withoutSecrets(req.url ?? ''),
          ip: req.ip,
        }),
      },
    },
    // A write of its own for each line costs a tenth of a page. What is left is written when the process ends.
    destination ?? pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 200 }),
  );

/** A URL for the log: without query values that are secrets, watcher links and API keys. */
const withoutSecrets = (url: string): string =>
  url
    .replace(/([?&](?:token|password|__session|_clerk_[a-z_]+|rotating_token_nonce)=)[^&#]*/gi, '$1[cut]')
    .replace(/(wt|pk)(?:_|%5f)[\w%-]{32,}/gi, '$1_[cut]');
