/** The overview, system, terms and audit pages: what each says first, and its change that has to be confirmed. */
import { auditEntry, desktop, type FakeAnswers, fakeApi, keepsNames, renderPage } from '@pool/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { AuditPage } from './audit/audit-page';
import { OverviewPage } from './overview/overview-page';
import { SystemPage } from './system/system-page';
import { TermsPage } from './terms/terms-page';

const open = (page: ReactNode, answers: FakeAnswers, path = '/admin') =>
  renderPage(page, {
    path,
    role: 'admin',
    api: fakeApi({
      'GET /homePrice/': { price: 100_000, at: null, stale: false },
      'GET /waiting': { changes: [] },
      ...answers,
    }),
  });

beforeEach(desktop);

test('overview: what needs somebody comes first, each with the way to do it', async () => {
  await open(<OverviewPage />, {
    'GET /admin/overview': {
      algorithms: [{ algorithm: 'SHA256_ASICBOOST', hashrate: 8.75e15, workersOnline: 40, minersOnline: 3 }],
      users: 12,
      unpaidSat: 50_000_000,
      payments: [{ status: 'pending', count: 2, totalSat: 700 }],
      oldestPendingAt: '2026-11-18T00:00:00.000Z',
      tasks: [{ task: 'payments_pending', count: 2 }],
      unread: [
        { entry: 'SCRYPT', since: '2026-11-18T00:00:00.000Z' },
        { entry: 'difficulty', since: '2026-11-18T00:00:00.000Z' },
      ],
      setup: [
        { item: 'upstream', done: true },
        { item: 'price', done: false },
      ],
    },
    'GET /admin/overview/days': {
      days: ['2026-11-17', '2026-11-18'],
      hashrates: [{ algorithm: 'SHA256_ASICBOOST', accounts: [{ name: 'farm', hashrates: [0, 8.5e15] }] }],
      owedSat: [0, 50_000_000],
      paidSat: [700, 0],
      newUsers: [0, 0],
    },
  });
  const setup = await screen.findByRole('region', { name: 'Before other miners join' });
  expect(setup).toHaveTextContent(/1 item missing.*Upstream pool \(done\).*Price.*nobody is paid/);
  expect(within(setup).getByRole('link', { name: 'Terms' })).toHaveAttribute('href', '/admin/terms');
  expect(await screen.findByRole('link', { name: /Payments waiting for approval.*2$/ })).toHaveAttribute(
    'href',
    '/admin/payments',
  );
  expect(screen.getByRole('link', { name: /price of scrypt cannot be read.*since/i })).toHaveAttribute(
    'href',
    '/admin/terms',
  );
  expect(screen.getByRole('region', { name: 'The pool now' })).toHaveTextContent(/8\.75 PH\/s.*Unpaid liability0\.5/);
  const charts = await screen.findByRole('region', { name: /^SHA256 · hashrate by account/ });
  expect(charts).toHaveTextContent('18 Nov 2026, farm: 8.50 PH/s');
  expect(screen.queryByRole('region', { name: /^New users/ })).toBeNull();
});

test('system: another version is served only after a dialog, with the pointer that was read', async () => {
  const { api, user } = await open(<SystemPage />, {
    'GET /admin/system': {
      proxy: { connections: 41, sharesPerSecond: 3.25, upstreams: [] },
      uncounted: [{ day: '2026-11-18', why: 'refused', shares: 7 }],
      nodes: [
        {
          id: 'a1b2c3d4e5f6',
          roles: ['web', 'worker'],
          place: 'pid 7 on one',
          build: '',
          heartbeat: '2026-11-21T12:00:00.000Z',
          isSilent: false,
          holds: null,
        },
        {
          id: 'f6e5d4c3b2a1',
          roles: ['stratum'],
          place: 'pid 8 on two',
          build: '',
          heartbeat: '2026-11-20T12:00:00.000Z',
          isSilent: true,
          holds: '2026-11-20',
        },
      ],
      database: {
        kind: 'embedded',
        version: '17.4',
        bytes: 52_000_000,
        answerMs: 0.4,
        migrations: 18,
        clockOffset: -0.2,
        clockTrouble: 'The clock is off.',
      },
      job: {
        startedAt: '2026-11-21T00:10:00.000Z',
        endedAt: '2026-11-21T00:10:02.000Z',
        nextAt: '2026-11-22T00:10:00.000Z',
        failed: [],
        daysClosed: 1,
        paymentsOpened: 2,
        wrongBalances: 0,
      },
      closedThrough: '2026-11-20',
      lateWork: 0,
      remotes: [
        {
          name: 'workers',
          budget: 51,
          connect: [{ origin: 'https://api.workers.example', allowed: false }],
          flags: [{ flag: 'workers.night', users: ['north'], figures: { mounts: 12, faulty: 1 } }],
          version: '1.1.0',
          canary: null,
          versions: [
            {
              version: '1.1.0',
              deployedAt: '2026-11-20T00:00:00.000Z',
              figures: {
                mounts: 40,
                faulty: 2,
                p95Ms: 480,
                errors: [{ kind: 'crash', message: 'Error: no x', count: 2 }],
              },
            },
            { version: '1.0.0', deployedAt: '2026-11-19T00:00:00.000Z', figures: null },
          ],
          history: [
            {
              at: '2026-11-20T00:00:00.000Z',
              who: 'deputy',
              what: 'rollback',
              to: { version: '1.1.0' },
              why: 'crashes',
            },
            {
              at: '2026-11-19T00:00:00.000Z',
              who: 'team',
              what: 'publish',
              to: { version: '1.2.0' },
              commit: 'ab12cd3',
            },
          ],
        },
      ],
      remoteFaults: [{ what: 'power/1.0.0/uses.txt', why: 'power/1.0.0/uses.txt is a link' }],
      failures: [{ channel: 'mail', reason: 'ESOCKET CONN self-signed certificate', at: '2026-11-20T00:00:00.000Z' }],
      uptimeSeconds: 7200,
    },
    'GET /admin/mails': [
      { at: '2026-11-20T00:00:00.000Z', to: 'a@example.com', subject: 'The address was changed', text: 'To bc1.\n' },
    ],
    'PUT /admin/remotes/{name}': { version: '1.0.0', canary: null },
    'PUT /admin/remotes/{name}/connect': null,
    'PUT /admin/remotes/{name}/flags': null,
  });
  expect(await screen.findByRole('region', { name: 'Nodes' })).toHaveTextContent(
    /a1b2c3d4e5f6 web, worker.*pid 7 on one.*f6e5d4c3b2a1 stratum.*Last heard.*Has not finished counting .*20.* retire-node f6e5d4c3b2a1/,
  );
  expect(await screen.findByText(/no differences/)).toBeVisible();
  expect(screen.getByText(/differ or jumped: no day is closed/)).toBeVisible();
  expect(screen.getByRole('region', { name: /^Messages not sent/ })).toHaveTextContent(
    /E‑mail · 20 Nov 2026.*self-signed certificate/,
  );
  const kept = screen.getByRole('region', { name: 'Kept mails' });
  await user.click(await within(kept).findByText('The address was changed'));
  expect(within(kept).getByText('To bc1.')).toBeVisible();
  expect(screen.getByRole('row', { name: /workers/ })).toHaveTextContent(
    /deputy · rolled back to 1\.1\.0 .*crashes.*team · published 1\.2\.0 .*ab12cd3/,
  );
  expect(screen.getByRole('row', { name: /workers/ })).toHaveTextContent(
    /1\.1\.0 · up to 51 KiB402 · 5\.0 %2 × crash: Error: no x480 ms/,
  );
  expect(screen.getByText(/uses\.txt is a link/)).toBeVisible();
  await user.click(screen.getByRole('switch', { name: 'workers: https://api.workers.example' }));
  await waitFor(() =>
    expect(api.bodies('PUT /admin/remotes/{name}/connect')).toEqual([
      { origin: 'https://api.workers.example', allowed: true },
    ]),
  );
  const flag = screen.getByRole('button', { name: 'Change workers.night' });
  expect(flag).toHaveTextContent('1 user');
  await user.click(flag);
  const turning = await screen.findByRole('dialog', { name: 'Turn on workers.night' });
  expect(turning).toHaveTextContent(/Mounts12.*With an error1/);
  await user.type(within(turning).getByRole('textbox', { name: 'Users' }), ', south');
  await user.click(within(turning).getByRole('button', { name: 'Change' }));
  await waitFor(() =>
    expect(api.bodies('PUT /admin/remotes/{name}/flags')).toEqual([
      { flag: 'workers.night', users: ['north', 'south'] },
    ]),
  );
  await user.click(screen.getByRole('button', { name: 'Switch… workers' }));
  const dialog = await screen.findByRole('dialog', { name: 'Version of workers' });
  expect(within(dialog).getByRole('button', { name: 'Serve to everybody' })).toBeDisabled();
  await user.click(within(dialog).getByRole('combobox', { name: 'Version' }));
  await user.click(await screen.findByText(/^1\.0\.0 ·/));
  await user.click(within(dialog).getByRole('checkbox', { name: 'Replace it in open pages too' }));
  expect(within(dialog).getByText(/get this version within ten seconds/)).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: 'Serve to everybody' }));
  await waitFor(() =>
    expect(api.bodies('PUT /admin/remotes/{name}')).toEqual([
      { version: '1.0.0', canary: null, urgent: true, expected: { version: '1.1.0', canary: null } },
    ]),
  );
});

test('terms: the price of today starts from the last one, and a field that is emptied stays empty', async () => {
  const { api, user } = await open(<TermsPage />, {
    'GET /admin/terms': { terms: [], operator: { upstreams: [] } } as never,
    'GET /prices': [{ day: '2026-11-21', algorithm: 'SHA256_ASICBOOST', priceBtc: 0.0005 } as never],
    'PUT /prices': {} as never,
  });
  await user.click(await screen.findByRole('button', { name: 'Set today’s price…' }));
  const dialog = await screen.findByRole('dialog');
  const price = within(dialog).getByRole('spinbutton', { name: /Price of work/ });
  const review = within(dialog).getByRole('button', { name: 'Preview the effect' });
  await waitFor(() => expect(review).toBeEnabled());
  expect(price).toHaveValue('0.0005000');
  await user.clear(price);
  expect(price).toHaveValue('');
  expect(review).toBeDisabled();
  await user.type(price, '0.0006');
  await user.click(review);
  await user.click(within(dialog).getByRole('button', { name: 'Change' }));
  await waitFor(() =>
    expect(api.bodies('PUT /prices')).toEqual([
      { algorithm: 'SHA256_ASICBOOST', priceBtc: 0.0006, btcPriceUsd: 100_000 },
    ]),
  );
});

test('terms: a value is changed in two steps, after what it would have meant', async () => {
  const { api, user } = await open(<TermsPage />, {
    'GET /admin/terms': {
      terms: [
        {
          name: 'pool_fee',
          value: 1.5,
          history: [{ since: '2026-11-01', value: 1.5, by: 'deputy', at: '2026-10-31T10:00:00.000Z' }],
        },
      ],
      operator: {
        walletHoldHours: 72,
        defaultThresholdSat: 5_000_000,
        referralPercent: 10,
        referralMonths: 12,
        referralThresholdSat: 10_000,
        upstreams: [],
      },
    },
    'GET /prices': [],
    'GET /admin/terms/preview': {
      from: '2026-10-22',
      to: '2026-11-20',
      users: 7,
      before: { grossSat: 1000, feeSat: 15, netSat: 985 },
      after: { grossSat: 1000, feeSat: 20, netSat: 980 },
    },
    'PUT /poolFee': { value: 2, since: '2026-11-22', next: null },
  });
  await user.click(await screen.findByRole('button', { name: 'Edit… Pool fee' }));
  const dialog = await screen.findByRole('dialog', { name: 'Pool fee' });
  const value = within(dialog).getByRole('spinbutton');
  await user.clear(value);
  await user.type(value, '2');
  await user.click(within(dialog).getByRole('button', { name: 'Preview the effect' }));
  expect(await within(dialog).findByText(/Effect it would have had/)).toHaveTextContent(
    /To the miners0\.00000985 → 0\.00000980Users affected7/,
  );
  const save = within(dialog).getByRole('button', { name: 'Change' });
  expect(save).toBeDisabled();
  await user.click(within(dialog).getByRole('checkbox'));
  await user.click(save);
  await waitFor(() => expect(api.bodies('PUT /poolFee')).toEqual([{ value: 2 }]));
});

test('audit: only a filter is said to match no entry', async () => {
  const { user } = await open(
    <AuditPage />,
    { 'GET /audit': { rows: [], total: 0, nextCursor: null } },
    '/admin/audit?subject=nobody',
  );
  expect(await screen.findByText('No entry matches')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show all' }));
  expect(await screen.findByText('Nothing has been done yet')).toBeVisible();
  expect(screen.queryByText('No entry matches')).toBeNull();
});

test('audit: names keep their signs at their end in Arabic', () => {
  const rows = [
    auditEntry({ id: 9, subject: 'kestrel=.', after: { owner: 'kestrel' } }),
    auditEntry({ id: 10, action: 'worker.group', subject: 'hall=.', after: { name: 'rig' } }),
  ];
  return keepsNames({ 'GET /audit': { rows, total: 2, nextCursor: null } }, 'boss', (odd) =>
    renderPage(<AuditPage />, { path: '/admin/audit', role: 'admin', api: fakeApi(odd), language: 'ar' }),
  );
});

test('audit: filters are in the URL and in the request; an entry shows what differs', async () => {
  const { api, user } = await open(
    <AuditPage />,
    {
      'GET /audit': {
        rows: [
          auditEntry({
            id: 9,
            before: { role: 'miner', disabled: false },
            after: { role: 'admin', disabled: false },
          }),
          ...[8, 7, 6].map((id) =>
            auditEntry({ id, action: 'view_as.read', subject: 'demo', after: { path: '/payment/' } }),
          ),
        ],
        total: 4,
        nextCursor: null,
      },
    },
    '/admin/audit?action=user&from=2026-11-01&to=nonsense',
  );
  expect(await screen.findByText('Viewed the user’s pages')).toHaveTextContent('3 reads');
  expect(screen.getAllByText('demo')).toHaveLength(1);
  await user.click(await screen.findByText('kestrel'));
  expect(api.calls[0]?.options).toMatchObject({ query: { action: 'user', from: '2026-11-01', to: undefined } });
  const drawer = await screen.findByRole('dialog', { name: 'User changed' });
  expect(within(drawer).getByRole('table', { name: 'Change' })).toHaveTextContent('RoleMinerAdministrator');
  expect(within(drawer).queryByText('Disabled')).toBeNull();
});
