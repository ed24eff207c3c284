import { z } from 'zod';
import { ALGORITHM_NAMES, ALGORITHMS, type AlgorithmName, type AlgorithmSetting } from '@pool/shared/domain';
import { isAllowEntry } from '../outbound';
import { addresses, host, list, listenHost, place, port, setting, webAddress, whole } from './kinds';

/** Name of a variable that exists for each algorithm: `STRATUM_PORT_SHA256`. */
export const settingOf = <P extends string>(prefix: P, algorithm: AlgorithmName): `${P}_${AlgorithmSetting}` =>
  `${prefix}_${ALGORITHMS[algorithm].setting}`;
const forEachAlgorithm = <P extends string, S extends z.ZodType>(prefix: P, schema: (algorithm: AlgorithmName) => S) =>
  Object.fromEntries(ALGORITHM_NAMES.map((algorithm) => [settingOf(prefix, algorithm), schema(algorithm)])) as Record<
    `${P}_${AlgorithmSetting}`,
    S
  >;

/** Milliseconds whose acknowledged shares a power cut may cost, unless an operator sets another value. */
export const SYNC_MS = 1000;

const upstream = z
  .string()
  .regex(
    /^stratum\+(tcp|ssl):\/\/\S+:(?!0\d)([1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])$/,
    'expected stratum+tcp://[user[:password]@]host:port or stratum+ssl://…',
  );
export const mining = {
  PUBLIC_HOST: setting(host, 'Name or address that miners are told to connect to, without a scheme or a port.', {
    example: 'stratum.pool.example',
    without: "the page's own name",
  }),
  STRATUM_HOST: setting(listenHost, 'Address of this machine that miners connect to.', {
    example: '192.0.2.7',
    preset: '0.0.0.0',
  }),
  ...forEachAlgorithm('STRATUM_PORT', (algorithm) =>
    setting(port, `Port for miners of ${ALGORITHMS[algorithm].label}.`, {
      example: '3333',
      preset: String(ALGORITHMS[algorithm].fallbackPort),
    }),
  ),
  ...forEachAlgorithm('STRATUM_TLS_PORT', (algorithm) =>
    setting(port, `Port that speaks TLS to miners of ${ALGORITHMS[algorithm].label}. It needs the two files below.`, {
      example: '3343',
      without: 'no such port',
    }),
  ),
  STRATUM_TLS_CERT: setting(
    place,
    'Certificate of the TLS ports with its chain, PEM; read again when it changes or at SIGHUP.',
    { example: '/etc/pool/fullchain.pem', without: 'a TLS port needs it' },
  ),
  STRATUM_TLS_KEY: setting(place, 'Its key, PEM.', { example: '/etc/pool/key.pem', without: 'a TLS port needs it' }),
  STRATUM_BALANCERS: setting(
    addresses,
    'Addresses and networks of the balancers before the Stratum ports that send the PROXY protocol (HAProxy: send-proxy-v2), comma separated.',
    { example: '10.0.0.3', preset: '', without: 'nobody' },
  ),
  ...forEachAlgorithm('UPSTREAM', (algorithm) =>
    setting(upstream, `The pool's upstream pool for ${ALGORITHMS[algorithm].label}.`, {
      example: 'stratum+tcp://account:x@upstream.example:3333',
      without: 'nobody mines it; with the demo its built-in pool',
    }),
  ),
  ...forEachAlgorithm('UPSTREAM_COUNTED', (algorithm) =>
    setting(
      webAddress,
      `What the upstream pool for ${ALGORITHMS[algorithm].label} says that it counted, for the closing check: ckpool's file of a user, or public-pool's chart of an address. Only this pool may mine for that user.`,
      {
        example: 'https://upstream.example/api/client/bc1qexample/chart',
        without: 'the check compares with an estimate',
      },
    ),
  ),
  UPSTREAM_ALLOW: setting(
    list.refine(
      (items) => items.every(isAllowEntry),
      'expected host names, addresses and networks, comma separated; or private',
    ),
    "Hosts, addresses and networks that users' own upstream pools and webhooks may have although they are not public, comma separated. The word private: all private and loopback addresses.",
    { example: 'private, pool.lan', preset: '', without: 'public ones only' },
  ),
  COUNT_SECONDS: setting(
    whole({ min: 1, max: 30 }),
    'Seconds between two counts of shares. More of them write fewer rows with many machines, and pages are as much behind.',
    { example: '30', preset: '5' },
  ),
  JOURNAL_SYNC_MS: setting(
    whole({ max: 60_000 }),
    'Milliseconds whose acknowledged shares a power cut may cost. 0: none, each answer waits for the disk.',
    { example: '0', preset: String(SYNC_MS) },
  ),
};
