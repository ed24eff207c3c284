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
    z.url({ protocol: /^smtps?$/, error: 'expected smtp://user:password@host:587 or smtps://…' }),
    'Your mail server; the password is percent-encoded.',
    {
      example: 'smtp://user:password@mail.example:587',
      without: 'no mail: nothing is offered that needs one, warnings are kept for admins',
    },
  ),
  MAIL_FROM: setting(
    z.string().regex(/^([^<>@\r\n]* <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, 'expected Pool <mail@pool.example>'),
    'Sender of the mails.',
    { example: 'Pool <mail@pool.example>', without: 'SMTP_URL needs it' },
  ),
  TELEGRAM_BOT_TOKEN: setting(
    z.string().regex(/^[\w:-]{3,128}$/, 'expected the token @BotFather gave: 1234567:AAbb…'),
    'Token of the bot that tells miners of alerts, payments and changes, from @BotFather.',
    { example: '1234567:AAbbCCdd', without: 'no bot' },
  ),
  TELEGRAM_API_ROOT: setting(webAddress, "Bot API server, when it is not Telegram's own.", {
    example: 'http://127.0.0.1:8081',
    preset: 'https://api.telegram.org',
  }),
};

export const remotes = {
  DIST_DIR: setting(place, 'What the build made.', { example: '/srv/pool/dist', preset: 'dist' }),
  REMOTES_DIR: setting(place, 'The deployed remotes.', { example: '/srv/pool/dist/remotes', preset: 'dist/remotes' }),
  REMOTE_KEYS: setting(
    ownKeys,
    'Public keys of the teams: only versions that they signed are served. One for each remote, * for all.',
    { example: 'workers=MCowBQYDK2VwAyEA…, map=MCowBQYDK2VwAyEA…', preset: '', without: 'no signature is needed' },
  ),
  REMOTE_ORIGINS: setting(
    list.pipe(z.array(origin)),
    "Other origins that files of remotes may come from, comma separated; every file's hash is checked all the same.",
    { example: 'https://cdn.example', preset: '', without: "the pool's own" },
  ),
};

export const watching = {
  LOG_LEVEL: setting(
    z.enum(LOG_LEVELS, `expected one of ${LOG_LEVELS.join(', ')}`),
    `Least severe lines of the log: ${LOG_LEVELS.join(', ')}.`,
    { example: 'warn', preset: 'info' },
  ),
  METRICS_TOKEN: setting(
    z.string().min(16, 'expected 16 characters or more'),
    'Bearer token with which other machines may read /metrics, 16 characters or more.',
    { example: 'Xv3tQ9m2Rw7kLp4z', without: 'only this machine may' },
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(webAddress, 'Collector of OpenTelemetry traces (OTLP over HTTP).', {
    example: 'http://127.0.0.1:4318',
    without: 'there are none',
  }),
  OTEL_TRACES_SAMPLER_ARG: setting(number({ max: 1 }), 'Part of the traces that it gets, from 0 to 1.', {
    example: '1',
    preset: '0.01',
  }),
  DEMO: setting(flag, '1: demo accounts and miners. 0: none.', {
    example: '0',
    without: '1 on an empty embedded database, else 0',
  }),
  DEMO_PASSWORD: setting(
    z.string().min(8, 'expected 8 characters or more'),
    'Password of the demo accounts, 8 characters or more.',
    { example: 'correct horse 9', without: 'a random one, which is printed once' },
  ),
};
