/** Settings of the pages and of the sign-in. */
import { z } from 'zod';
import { addresses, flag, list, listenHost, origin, page, port, setting, whole } from './kinds';

export const pages = {
  PORT: setting({ says: 'Port of the pages and the API.', example: '8080', preset: '3000' }, port),
  HOST: setting(
    {
      says: 'Address of this machine that the pages listen on; 0.0.0.0 for all.',
      example: '0.0.0.0',
      preset: '127.0.0.1',
    },
    listenHost,
  ),
  PUBLIC_URL: setting(
    {
      says: 'Address of the pages, as browsers know it, without a path. Mails that warn link to it, alerts have a link that ends them.',
      example: 'https://pool.example',
      without: 'mails have no links',
    },
    origin,
  ),
  TRUSTED_PROXIES: setting(
    {
      says: 'Addresses and networks of the proxies whose X-Forwarded-For and X-Forwarded-Proto are believed, comma separated.',
      example: '10.0.0.2, 10.1.0.0/16',
      preset: '',
      without: 'nobody',
    },
    addresses,
  ),
  HSTS_SECONDS: setting(
    {
      says: 'Browsers that came over TLS come over TLS only for so many seconds. 0: no longer, some days before TLS is given up.',
      example: '0',
      preset: '31536000',
    },
    whole({ max: 63_072_000 }),
  ),
  RATE_LIMIT: setting(
    {
      says: 'API requests a minute of one account, or of one address without a session; a fifth as many pages.',
      example: '6000',
      preset: '3000',
    },
    whole({ min: 1 }),
  ),
  SUPPORT_EMAIL: setting(
    { says: 'Where users write to.', example: 'help@pool.example', preset: 'support@pool.localhost' },
    z.email('expected a mail address'),
  ),
  SECURITY_CONTACT: setting(
    {
      says: 'Where vulnerabilities are reported: mailto: or https: addresses, comma separated, in /.well-known/security.txt.',
      example: 'mailto:security@pool.example',
      without: 'there is no such file',
    },
    list.refine(
      (items) => items.every((item) => /^(mailto:|https:\/\/)\S+$/.test(item)),
      'expected mailto:… or https://… addresses, comma separated',
    ),
  ),
  SERVICE_WORKER: setting(
    { says: '0: pages install no service worker, and browsers that have it remove it.', example: '0', preset: '1' },
    flag,
  ),
};

export const people = {
  SIGN_IN_URL: setting({ says: 'Path of the sign-in page.', example: '/enter', preset: '/sign-in' }, page),
  SIGN_UP_URL: setting({ says: 'Path of the sign-up page.', example: '/join', preset: '/sign-up' }, page),
  AFTER_SIGN_IN_URL: setting({ says: 'Where the sign-in leads.', example: '/workers/', preset: '/dashboard/' }, page),
  AFTER_SIGN_UP_URL: setting({ says: 'Where the sign-up leads.', example: '/pages/faq', preset: '/dashboard/' }, page),
  REQUIRE_TWO_STEP: setting(
    {
      says: '1: admins need two-step sign-in (Account > Security). 0: nobody does.',
      example: '0',
      without: '1; 0 with demo data or the hosted sign-in',
    },
    flag,
  ),
  CLERK_PUBLISHABLE_KEY: setting(
    {
      says: 'Key of the hosted sign-in service.',
      example: 'pk_live_Y2xlcmsucG9vbC5leGFtcGxlJA',
      without: 'the embedded sign-in',
    },
    z.string().regex(/^pk_(live|test)_[A-Za-z0-9+/=]+$/, 'a publishable key starts with pk_live_ or pk_test_'),
  ),
};
