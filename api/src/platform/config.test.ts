/** What the environment hands in: taken as it is meant, or refused with a sentence. */
import { readConfig } from './config';
import { factsOf } from './settings/kinds';
import { GROUPS, settings } from './settings/settings';

it.each([
  ['PUBLIC_HOST', 'https://pool.example', 'expected a host name'],
  ['PUBLIC_HOST', 'pool.example/', 'expected a host name'],
  ['PUBLIC_URL', 'https://example.com/pool/', 'without a path'],
  ['PUBLIC_URL', 'pool.example', 'begins with https://'],
  ['PORT', '70000', 'a whole number from 0 to 65535'],
  ['BACKUP_EVERY', 'daily', 'a number from 0 to 720'],
  ['DEMO', 'yes', 'expected 0 or 1'],
  ['DATABASE_URL', 'mysql://x', 'expected the URL of a PostgreSQL'],
  ['UPSTREAM_SHA256', 'stratum+tcp://pool.example:99999', 'expected stratum+tcp://'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://collector:4317', 'begins with https://'],
  ['SUPPORT_EMAIL', 'nobody', 'expected a mail address'],
  ['LOG_LEVEL', 'loud', 'expected one of fatal'],
])('%s=%s is refused with what is expected, and an example', (name, value, sentence) => {
  let said = '';
  try {
    readConfig({ [name]: value });
  } catch (error) {
    said = String(error);
  }
  expect(said).toContain(`\n  ${name}: `);
  expect(said).toContain(sentence);
  expect(said).toContain(`For example: ${name}=`);
  expect(said.split('\n')).toHaveLength(2);
});

it('addresses are written as they are used: IPv6 in brackets, an origin without its slash', () => {
  expect(readConfig({ PUBLIC_HOST: '2001:db8::1', HOST: '[::1]', PUBLIC_URL: 'https://pool.example/' })).toMatchObject({
    PUBLIC_HOST: '[2001:db8::1]',
    HOST: '::1',
    PUBLIC_URL: 'https://pool.example',
  });
  for (const host of ['pool.example', 'пул.рф', '192.0.2.1', 'localhost', 'my_host'])
    expect(readConfig({ PUBLIC_HOST: host }).PUBLIC_HOST).toBe(host);
});

it('every example is a value that the server takes, and no setting is of two groups', () => {
  const groups = Object.values(GROUPS).map((group) => Object.entries(group));
  expect(groups.flat()).toHaveLength(Object.keys(settings).length);
  for (const [name, schema] of groups.flat()) {
    const { example } = factsOf(schema);
    if (!example.includes('…')) expect([name, schema.safeParse(example).success]).toEqual([name, true]);
  }
});

it('a TLS port needs a certificate and its key', () => {
  expect(() => readConfig({ STRATUM_TLS_PORT_SCRYPT: '3334' })).toThrow(/STRATUM_TLS_CERT[^]*STRATUM_TLS_KEY/);
});
