/** Settings of messages, remotes, logs, figures and the demo. */
import { z } from 'zod';
import { LOG_LEVELS } from '../log';
import { remoteKeys } from './remote-keys';
import { flag, list, number, origin, place, setting, webAddress } from './kinds';

const ownKeys = z.string().transform((text, context) => {
  try {
    return remoteKeys(text);
  } catch {
    context.addIssue('expected remotes with their public Ed25519 keys: workers=MCow…, map=MCow…; * for all');
    return z.NEVER;
  }
});

export const messages = {
  SMTP_URL: setting(
    {
      says: 'Your mail server; the password is percent-encoded.',
      example: 'smtp://user:password@mail.example:587',
      without: 'no mail: nothing is offered that needs one, warnings are kept for admins',
    },
    z.url({ protocol: /^smtps?$/, error: 'expected smtp://user:password@host:587 or smtps://…' }),
  ),
  MAIL_FROM: setting(
    { says: 'Sender of the mails.', example: 'Pool <mail@pool.example>', without: 'SMTP_URL needs it' },
    z.string().regex(/^([^<>@\r\n]* <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, 'expected Pool <mail@pool.example>'),
  ),
  TELEGRAM_BOT_TOKEN: setting(
    {
      says: 'Token of the bot that tells miners of alerts, payments and changes, from @BotFather.',
      example: '1234567:AAbbCCdd',
      without: 'no bot',
    },
    z.string().regex(/^[\w:-]{3,128}$/, 'expected the token @BotFather gave: 1234567:AAbb…'),
  ),
  TELEGRAM_API_ROOT: setting(
    {
      says: "Bot API server, when it is not Telegram's own.",
      example: 'http://127.0.0.1:8081',
      preset: 'https://api.telegram.org',
    },
    webAddress,
  ),
};

export const remotes = {
  DIST_DIR: setting({ says: 'What the build made.', example: '/srv/pool/dist', preset: 'dist' }, place),
  REMOTES_DIR: setting(
    { says: 'The deployed remotes.', example: '/srv/pool/dist/remotes', preset: 'dist/remotes' },
    place,
  ),
  REMOTE_KEYS: setting(
    {
      says: 'Public keys of the teams: only versions that they signed are served. One for each remote, * for all.',
      example: 'workers=MCowBQYDK2VwAyEA…, map=MCowBQYDK2VwAyEA…',
      preset: '',
      without: 'no signature is needed',
    },
    ownKeys,
  ),
  REMOTE_ORIGINS: setting(
    {
      says: "Other origins that files of remotes may come from, comma separated; every file's hash is checked all the same.",
      example: 'https://cdn.example',
      preset: '',
      without: "the pool's own",
    },
    list.pipe(z.array(origin)),
  ),
};

export const watching = {
  LOG_LEVEL: setting(
    { says: `Least severe lines of the log: ${LOG_LEVELS.join(', ')}.`, example: 'warn', preset: 'info' },
    z.enum(LOG_LEVELS, `expected one of ${LOG_LEVELS.join(', ')}`),
  ),
  METRICS_TOKEN: setting(
    {
      says: 'Bearer token with which other machines may read /metrics, 16 characters or more.',
      example: 'Xv3tQ9m2Rw7kLp4z',
      without: 'only this machine may',
    },
    z.string().min(16, 'expected 16 characters or more'),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    {
      says: 'Collector of OpenTelemetry traces (OTLP over HTTP).',
      example: 'http://127.0.0.1:4318',
      without: 'there are none',
    },
    webAddress,
  ),
  OTEL_TRACES_SAMPLER_ARG: setting(
    { says: 'Part of the traces that it gets, from 0 to 1.', example: '1', preset: '0.01' },
    number({ max: 1 }),
  ),
  DEMO: setting(
    {
      says: '1: demo accounts and miners. 0: none.',
      example: '0',
      without: '1 on an empty embedded database, else 0',
    },
    flag,
  ),
  DEMO_PASSWORD: setting(
    {
      says: 'Password of the demo accounts, 8 characters or more.',
      example: 'correct horse 9',
      without: 'a random one, which is printed once',
    },
    z.string().min(8, 'expected 8 characters or more'),
  ),
};
