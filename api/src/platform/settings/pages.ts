import { z } from 'zod';
import { addresses, flag, list, listenHost, origin, page, port, setting, whole } from './kinds';

export const pages = {
  PORT: setting(port, 'Port of the pages and the API.', { example: '8080', preset: '3000' }),
  HOST: setting(listenHost, 'Address of this machine that the pages listen on; 0.0.0.0 for all.', {
    example: '0.0.0.0',
    preset: '127.0.0.1',
  }),
  PUBLIC_URL: setting(
    origin,
    'Address of the pages, as browsers know it, without a path. Mails that warn link to it, alerts have a link that ends them.',
    { example: 'https://pool.example', without: 'mails have no links' },
  ),
  TRUSTED_PROXIES: setting(
    addresses,
    'Addresses and networks of the proxies whose X-Forwarded-For and X-Forwarded-Proto are believed, comma separated; X-Forwarded-Host only where it is that of PUBLIC_URL, or none is set.',
    { example: '10.0.0.2, 10.1.0.0/16', preset: '', without: 'nobody' },
  ),
  HSTS_SECONDS: setting(
    whole({ max: 63_072_000 }),
    'Browsers that came over TLS come over TLS only for so many seconds. 0: no longer, some days before TLS is given up.',
    { example: '0', preset: '31536000' },
  ),
  RATE_LIMIT: setting(
    whole({ min: 1 }),
    'API requests a minute of one account, or of one address without a session; a fifth as many pages.',
    { example: '6000', preset: '3000' },
  ),
  SUPPORT_EMAIL: setting(z.email('expected a mail address'), 'Where users write to.', {
    example: 'help@pool.example',
    preset: 'support@pool.localhost',
  }),
  SECURITY_CONTACT: setting(
    list.refine(
      (items) => items.every((item) => /^(mailto:|https:\/\/)\S+$/.test(item)),
      'expected mailto:… or https://… addresses, comma separated',
    ),
    'Where vulnerabilities are reported: mailto: or https: addresses, comma separated, in /.well-known/security.txt.',
    { example: 'mailto:security@pool.example', without: 'there is no such file' },
  ),
  SERVICE_WORKER: setting(flag, '0: pages install no service worker, and browsers that have it remove it.', {
    example: '0',
    preset: '1',
  }),
};

export const people = {
  SIGN_IN_URL: setting(page, 'Path of the sign-in page.', { example: '/enter', preset: '/sign-in' }),
  SIGN_UP_URL: setting(page, 'Path of the sign-up page.', { example: '/join', preset: '/sign-up' }),
  AFTER_SIGN_IN_URL: setting(page, 'Where the sign-in leads.', { example: '/workers/', preset: '/dashboard/' }),
  AFTER_SIGN_UP_URL: setting(page, 'Where the sign-up leads.', { example: '/pages/faq', preset: '/dashboard/' }),
  REQUIRE_TWO_STEP: setting(flag, '1: admins need two-step sign-in (Account > Security). 0: nobody does.', {
    example: '0',
    without: '1; 0 with demo data or the hosted sign-in',
  }),
  CLERK_PUBLISHABLE_KEY: setting(
    z.string().regex(/^pk_(live|test)_[A-Za-z0-9+/=]+$/, 'a publishable key starts with pk_live_ or pk_test_'),
    'Key of the hosted sign-in service.',
    { example: 'pk_live_Y2xlcmsucG9vbC5leGFtcGxlJA', without: 'the embedded sign-in' },
  ),
};
