import { pino, type Logger } from 'pino';

export type { Logger };

/** JSON lines, so that no text from outside can start a line of its own; secrets are cut out wherever they may stand. */
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
    destination ?? pino.destination({ dest: 1, sync: false }),
  );

/**
 * Query values that carry a secret (`?token=`, Clerk's `__session` and rotating tokens), and watcher links and API keys
 * wherever they stand, do not belong in a log.
 */
const withoutSecrets = (url: string): string =>
  url
    .replace(/([?&](?:token|password|__session|_clerk_[a-z_]+|rotating_token_nonce)=)[^&#]*/gi, '$1[cut]')
    .replace(/(wt|pk)(?:_|%5f)[\w%-]{32,}/gi, '$1_[cut]');
