import { useLocation } from '@pool/shared/router';
import { connection, fakeApi, type RenderOptions, renderPage, testLists } from '@pool/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { ConnectionPage } from './connection-page';
import { linesFor, minerSettings, minerUri } from './miner-settings';

const both = [
  connection({ dedicated: true, port: 13_311, tlsPort: 4433 }),
  connection({ algorithm: 'SCRYPT', host: 'ltc.pool.example', port: 3312 }),
];
const Search = () => <output>{useLocation().search}</output>;
const open = (options: RenderOptions = {}) =>
  renderPage(
    <>
      <ConnectionPage />
      <Search />
    </>,
    { path: '/workers/connection', api: fakeApi({ 'GET /connectionInfo/': both }), ...options },
  );
const panel = (name: string) => screen.getByRole('region', { name });

test('addresses of every algorithm, with TLS and own ports where there are some; the picked one first', async () => {
  await open({ session: { algorithm: 'SCRYPT' } });
  const sha = await screen.findByRole('region', { name: 'SHA256' });
  expect(within(sha).getByText('stratum+tcp://sha.pool.example:13311')).toBeVisible();
  expect(within(sha).getByText('stratum+ssl://sha.pool.example:4433')).toBeVisible();
  expect(within(sha).getByText('Own port')).toBeVisible();
  expect(within(panel('SCRYPT')).queryByText(/stratum\+ssl/)).toBeNull();
  expect(panel('SCRYPT').compareDocumentPosition(sha)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test('the worker name goes into the fields, the lines and the URL; one that miners cannot have does not', async () => {
  const { user } = await open();
  const name = await screen.findByRole('textbox', { name: 'Worker name' });
  await user.clear(name);
  await user.type(name, 'hall.7');
  const sha = panel('SHA256');
  await waitFor(() => expect(within(sha).getByText('northfield.hall.7')).toBeVisible());
  expect(within(sha).getByLabelText('Settings to paste for SHA256')).toHaveTextContent('northfield.hall.7');
  expect(document.querySelector('output')).toHaveTextContent('?name=hall.7');
  await user.type(name, ' 8');
  expect(screen.getByRole('alert')).toHaveTextContent('1 to 64 letters');
  expect(within(sha).getByText('northfield.hall.7')).toBeVisible();
});

test('difficulty and software come from the URL', async () => {
  await open({ path: '/workers/connection?name=a&d=4096&software=BFGMiner' });
  const line = await screen.findByLabelText('Settings to paste for SHA256');
  expect(line).toHaveTextContent('bfgminer -o stratum+tcp://sha.pool.example:13311 -u northfield.a -p d=4096');
  // Not for SCRYPT: its first line stands.
  expect(screen.getByLabelText('Settings to paste for SCRYPT')).toHaveTextContent(
    'minerd -a scrypt -o stratum+tcp://ltc.pool.example:3312',
  );
});

test('an account with a miner password is told where it goes', async () => {
  await open({ api: fakeApi({ 'GET /connectionInfo/': [connection({ passwordSet: true })] }) });
  expect(await screen.findByText(/put it in place of PASSWORD/)).toBeVisible();
});

testLists([
  {
    list: 'SHA256',
    page: <ConnectionPage />,
    at: { path: '/workers/connection' },
    answers: { 'GET /connectionInfo/': both },
    call: 'GET /connectionInfo/',
    row: /sha\.pool\.example:13311/,
  },
]);

test('a legacy user sees its own algorithm only; in Arabic', async () => {
  await open({ session: { isLegacyUser: true, algorithm: 'SCRYPT' }, language: 'ar' });
  expect(await screen.findByRole('region', { name: 'SCRYPT' })).toBeVisible();
  expect(screen.queryByRole('region', { name: 'SHA256' })).toBeNull();
  expect(screen.getByRole('textbox', { name: 'اسم الجهاز' })).toBeVisible();
});

describe('settings of a miner', () => {
  const plain = { name: 'rig-01', difficulty: null };

  test('address, worker and password; the TLS address only where the pool has one', () => {
    expect(minerSettings(connection(), plain)).toEqual({
      url: 'stratum+tcp://sha.pool.example:3311',
      tlsUrl: null,
      user: 'northfield.rig-01',
      password: 'x',
    });
    expect(minerSettings(connection({ tlsPort: 4433 }), plain).tlsUrl).toBe('stratum+ssl://sha.pool.example:4433');
  });

  test('the password carries the difficulty and the miner password, which stays out of the QR code', () => {
    const wish = { name: 'hall.7', difficulty: 1024 };
    const open = minerSettings(connection(), wish);
    expect(open.password).toBe('d=1024');
    expect(minerUri(open)).toBe('stratum+tcp://northfield.hall.7:d%3D1024@sha.pool.example:3311');
    const closed = minerSettings(connection({ passwordSet: true }), wish);
    expect(closed.password).toBe('d=1024,PASSWORD');
    expect(minerUri(closed)).toBe('stratum+tcp://northfield.hall.7@sha.pool.example:3311');
  });

  test('lines are whole: every one has the address, the worker and the password', () => {
    for (const algorithm of ['SHA256_ASICBOOST', 'SCRYPT'] as const) {
      const settings = minerSettings(connection({ algorithm }), { name: 'a', difficulty: 64 });
      const lines = linesFor(algorithm);
      expect(lines.length).toBeGreaterThan(2);
      for (const { text } of lines)
        for (const part of [settings.url, settings.user, settings.password]) expect(text(settings)).toContain(part);
    }
    expect(linesFor('SCRYPT').map(({ text }) => text(minerSettings(connection({ port: 3312 }), plain)))).toContain(
      'minerd -a scrypt -o stratum+tcp://sha.pool.example:3312 -u northfield.rig-01 -p x',
    );
  });
});
