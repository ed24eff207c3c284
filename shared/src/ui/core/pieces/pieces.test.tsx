import {
  Btc,
  CopyField,
  ErrorPanel,
  Hashrate,
  Loading,
  Notice,
  Panel,
  PayoutSentence,
  Segments,
  Sparkline,
  TimeAgo,
  Usd,
  WidgetBoundary,
} from '..';
import type { Answer } from '../../../api/client';
import { setByServer } from '../../../api/clock';
import { createI18n, I18nextProvider } from '../../../i18n';
import { auditEntry, balance, problem, renderPage, stopClockAt } from '../../../testing';
import { useErrorText } from '../error-text';
import { useQuery } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import type { AuditEntry } from '../../../api/schemas';
import { useAuditText } from '../../audit';

const text = (element: HTMLElement) => element.textContent?.replaceAll('\u00a0', ' ');

test('an age is told by the clock of the server', async () => {
  const at = Math.floor(Date.now() / 1000) + 3600;
  setByServer(new Date((at + 34) * 1000).toUTCString());
  const { container } = await renderPage(<TimeAgo at={at} />);
  expect(text(container)).toMatch(/^3[3-5] s ago$/);
  setByServer(new Date().toUTCString());
});

describe('numbers', () => {
  test('bitcoin has eight decimals, with less prominent leading zeros', async () => {
    const { container } = await renderPage(<Btc sats={1_030_998} />);
    expect(text(container)).toBe('0.01030998 BTC');
    expect(container.querySelector('.zeros')).toHaveTextContent('0.0');
  });
  test('unknown values are a dash, never zero', async () => {
    const { container } = await renderPage(
      <>
        <Hashrate hs={null} />
        <Btc sats={null} />
        <Usd usd={undefined} />
        <Usd sats={5} price={null} />
      </>,
    );
    expect(text(container)).toBe('————');
  });
  test('stays left to right, and Western, in Arabic', async () => {
    const { container } = await renderPage(
      <>
        <Hashrate hs={21.43e15} />
        <Usd sats={100_000_000} price={97_240} />
      </>,
      { language: 'ar' },
    );
    expect([...container.querySelectorAll('bdi')].map((bdi) => [bdi.dir, text(bdi)])).toEqual([
      ['ltr', '21.43 PH/s'],
      ['ltr', '97,240 US$'],
    ]);
  });
});

test('the bar does not include inactive workers', async () => {
  await renderPage(
    <Segments counts={{ online: 201, low: 0, offline: 5, inactive: 9 }} label="201 online, 5 offline" />,
  );
  expect(screen.getByRole('img', { name: '201 online, 5 offline' }).children).toHaveLength(2);
});

describe('sparkline', () => {
  test('breaks at gaps', async () => {
    const { container } = await renderPage(<Sparkline points={[1, 1, null, 1, 1]} />);
    expect(container.querySelector('.line')?.getAttribute('d')?.match(/M/g)).toHaveLength(2);
    expect(container.querySelector('.floor')?.getAttribute('d')?.match(/M/g)).toHaveLength(1);
  });
  test('the line of an offline worker falls to the dotted line, which is alone without shares', async () => {
    const { container } = await renderPage(
      <>
        <Sparkline points={[1, 1, null]} ending="offline" />
        <Sparkline points={[null]} ending="offline" />
      </>,
    );
    expect(container.querySelectorAll('.fall')).toHaveLength(1);
    expect(container.querySelectorAll('.floor')).toHaveLength(2);
  });
});

describe('copy field', () => {
  test('copies its value, and confirms', async () => {
    const { user } = await renderPage(<CopyField label="Address" value="bc1qggn2abcdefghijklmnhd2ld3" />);
    await user.click(screen.getByRole('button', { name: 'Copy Address' }));
    expect(await navigator.clipboard.readText()).toBe('bc1qggn2abcdefghijklmnhd2ld3');
    expect(await screen.findByText('Copied')).toBeInTheDocument();
  });
  test('shows a message when the browser refuses', async () => {
    const { user } = await renderPage(<CopyField label="Address" value="x" />);
    jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
    await user.click(screen.getByRole('button', { name: 'Copy Address' }));
    expect(await screen.findByText('Could not copy')).toBeVisible();
  });
});

describe('errors', () => {
  test('a request without a network says that the browser has none', async () => {
    jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await renderPage(<ErrorPanel error={problem(0, 'offline')} />);
    expect(screen.getByRole('alert')).toHaveTextContent('This browser has no network.');
  });
  test('a widget that cannot be drawn leaves the others alone, and Retry asks for its data anew', async () => {
    // React prints what a boundary caught.
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const ask = jest.fn().mockResolvedValueOnce('<!doctype html>').mockResolvedValue([21, 34]);
    function Rows() {
      const { data } = useQuery<number[]>({ queryKey: ['rows'], queryFn: ask });
      return <p>{data?.map((row) => row + 1).join(' ')}</p>;
    }
    const { user } = await renderPage(
      <>
        <WidgetBoundary>
          <Rows />
        </WidgetBoundary>
        <Panel title="Balance">0.5 BTC</Panel>
      </>,
    );
    expect(await screen.findByRole('alert')).toHaveTextContent('Something went wrong on this page.');
    expect(screen.getByRole('region', { name: 'Balance' })).toHaveTextContent('0.5 BTC');
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('22 35')).toBeVisible();
  });
  test('a warning is announced to screen readers, a note is not', async () => {
    await renderPage(
      <>
        <Notice tone="warn">Low</Notice>
        <Notice tone="info">By the way</Notice>
      </>,
    );
    expect(screen.getAllByRole('status')).toHaveLength(1);
  });
});

describe('ages', () => {
  const now = Date.UTC(2025, 10, 21, 14, 32);
  beforeEach(() => jest.useFakeTimers({ now, doNotFake: ['queueMicrotask', 'setImmediate'] }));
  afterEach(() => jest.useRealTimers());

  test('update themselves', async () => {
    const { container } = await renderPage(<TimeAgo at={now / 1000 - 4} bare />);
    expect(text(container)).toBe('4 s');
    await act(() => jest.advanceTimersByTimeAsync(56_000));
    expect(text(container)).toBe('1 min');
  });
  test('after ten seconds show a message and a button to retry', async () => {
    await renderPage(<Loading>…</Loading>);
    await act(() => jest.advanceTimersByTimeAsync(9_000));
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
    await act(() => jest.advanceTimersByTimeAsync(2_000));
    expect(screen.getByText('This is taking longer than usual.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Retry' })).toBeVisible();
  });
  test('have the exact time in the title', async () => {
    await renderPage(<TimeAgo at={now / 1000 - 34} bare />);
    expect(screen.getByText('34 s')).toHaveAttribute('title', '21 Nov 2025, 14:31 UTC');
  });
});

describe('the sentence of the next payout', () => {
  type Balance = Answer<'GET /payment/'>;

  const at = '2026-11-22T00:30:00.000Z';
  /** Nothing was earned since yesterday. */
  const still: Partial<Balance> = {
    nextPayout: { at: null, reason: 'below_threshold', sooner: null },
    yesterdaySat: 0,
    todayEstimateSat: 0,
    paceSat: 0,
    paidTotalSat: 0,
    lastDaysSat: [],
  };
  beforeEach(() => stopClockAt('2026-11-20T14:32:00Z'));
  afterEach(() => jest.useRealTimers());

  test.each<[Partial<Balance>, string]>([
    [{ nextPayout: { at, reason: null, sooner: null } }, 'Payout from 22 Nov, 00:30 UTC on.'],
    [{ nextPayout: { at: null, reason: null, sooner: null } }, 'A payout is queued and goes out next.'],
    [
      { nextPayout: { at, reason: 'below_threshold', sooner: null } },
      'Reaches the threshold when 21 Nov closes. Payout from 22 Nov, 00:30 UTC on.',
    ],
    [
      { nextPayout: { at: '2027-01-01T00:30:00.000Z', reason: 'below_threshold', sooner: null } },
      'Reaches the threshold when 31 Dec closes. Payout from 1 Jan 2027, 00:30 UTC on.',
    ],
    [{ paceSat: 4000 }, 'Reaches the threshold in about 13 months at this pace.'],
    [{ paceSat: 60 }, 'Reaches the threshold in about 72 years at this pace.'],
    [{}, 'No earnings since yesterday.'],
    [{ unpaidSat: 0 }, 'No earnings yet.'],
    [{ todayEstimateSat: 12 }, 'The date is known after a full day of earnings.'],
    [{ nextPayout: { at: null, reason: 'no_address', sooner: null } }, 'No payout address is set.'],
    [{ nextPayout: { at: null, reason: 'paused', sooner: null } }, 'Payouts are paused for this account.'],
    [{ nextPayout: { at: null, reason: 'review', sooner: null } }, 'The payout is being reviewed by the pool.'],
    [
      { nextPayout: { at: null, reason: 'address_hold', sooner: null } },
      'On hold: the payout address was changed recently.',
    ],
    [
      { nextPayout: { at, reason: 'address_hold', sooner: null } },
      'On hold until 22 Nov, 00:30 UTC: the payout address was changed recently.',
    ],
  ])('%j', async (change, sentence) => {
    await renderPage(<PayoutSentence balance={balance({ ...still, ...change })} />);
    expect(screen.getByText(sentence)).toBeVisible();
  });

  test('a lower threshold that pays sooner is offered to who may set it', async () => {
    const sooner = { thresholdSat: 500_000, at: '2026-12-03T00:30:00.000Z' };
    const offered = balance({ ...still, nextPayout: { at: null, reason: 'below_threshold', sooner } });
    const { unmount } = await renderPage(<PayoutSentence balance={offered} />);
    expect(screen.getByRole('link', { name: 'Or from 3 Dec on with 0.005 BTC' })).toHaveAttribute(
      'href',
      '/payments/?tab=settings&threshold=500000',
    );
    unmount();
    await renderPage(<PayoutSentence balance={offered} />, { readOnly: true });
    expect(screen.queryByRole('link')).toBeNull();
  });
});

describe('the text of an error', () => {
  const Said = ({ error }: { error: unknown }) => <p role="alert">{useErrorText(error, { length: 5 })}</p>;

  test.each([
    [problem(400, 'address_checksum'), 'The checksum does not match: a character is wrong or missing.'],
    [problem(400, 'address_length'), 'This address has 5 characters; bitcoin addresses have 26 to 62.'],
    [problem(409, 'of_a_newer_server'), 'The pool did not accept these values. Check them and try again.'],
    [problem(500, 'of_a_newer_server'), /The pool could not answer/],
    [problem(0, 'offline'), /The pool does not answer/],
    [new TypeError('x is undefined'), 'Something went wrong on this page.'],
    [null, ''],
  ])('%s', async (error, text) => {
    await renderPage(<Said error={error} />);
    expect(screen.getByRole('alert')).toHaveTextContent(text);
  });

  test('texts that the first load does not have come with the first error; until then nothing wrong is said', async () => {
    let arrive = (_: string) => {};
    const later = new Promise<string>((resolve) => (arrive = resolve));
    const i18n = await createI18n({
      language: 'en',
      fetch: (url) =>
        Promise.resolve({
          ok: true,
          status: 200,
          text: () => (url === '/locales/errors.en.json' ? later : Promise.resolve('{}')),
        }),
    });
    render(
      <I18nextProvider i18n={i18n}>
        <Said error={problem(400, 'address_checksum')} />
      </I18nextProvider>,
    );
    expect(screen.getByRole('alert')).toBeEmptyDOMElement();
    arrive('{"ui.error.address_checksum":"The checksum does not match"}');
    expect(await screen.findByText('The checksum does not match')).toBeVisible();
  });
});

describe('the audit log in words', () => {
  const entry = (action: string, subject: string | null, before: unknown, after: unknown): AuditEntry =>
    auditEntry({ action, subject, before, after });
  function Line({ row }: { row: AuditEntry }) {
    const words = useAuditText();
    return <p>{`${words.action(row.action)} | ${words.subject(row)} | ${words.change(row)}`}</p>;
  }
  /** Text with usual spaces in place of those that do not break. */
  const plain = ({ textContent }: HTMLElement) => textContent.replace(/[\u00a0\u202f]/g, ' ');

  test.each([
    [
      entry(
        'user.update',
        'alice',
        { role: 'miner', feePercent: null, disabled: false, isLegacyUser: false },
        { role: 'admin', feePercent: 1.5, disabled: true, isLegacyUser: false },
      ),
      'User changed | alice | Role: Miner → Administrator; Pool fee: 1.50 %; Disabled: No → Yes',
    ],
    [
      entry(
        'sub_account.update',
        'barn',
        { thresholdSat: 5_000_000, ports: {} },
        { thresholdSat: 100_000, ports: { SCRYPT: 3344 } },
      ),
      'Sub-account changed | barn | Payout threshold: 0.05000000 BTC → 0.00100000 BTC; Ports: SCRYPT 3344',
    ],
    [
      entry('price.change', 'SHA256_ASICBOOST/2026-11-21', null, {
        priceBtc: 0.00049,
        btcPriceUsd: 97_000,
        source: 'manual',
      }),
      'Price set | SHA256 · 21 Nov 2026 | Price: 0.00049 BTC; Bitcoin price: $97,000; Source: Manual',
    ],
    [
      entry('terms.change', 'pool_fee', { since: null, value: 1.5 }, { since: '2026-11-22', value: 2 }),
      'Terms changed | Pool fee | Value: 1.50 % → 2.00 %; Valid from: 22 Nov 2026',
    ],
    [
      entry(
        'wallet.change',
        'barn',
        { btcAddress: 'bc1qa' },
        { btcAddress: 'bc1qb', holdUntil: '2026-11-05T03:04:05.000Z' },
      ),
      /^Address changed \| barn \| Address: bc1qa → bc1qb; On hold until: 5 Nov 2026, 03:04/,
    ],
    [
      entry(
        'pool_list.reorder',
        'barn',
        { list: [{ id: 1, poolConfigId: 9, name: 'north', enabled: true }] },
        { list: [] },
      ),
      'Order of upstream pools changed | barn | List: Name north, On Yes → —',
    ],
    [
      entry('something.new', null, null, { fieldOfLater: 'kept', nested: { role: 'admin' } }),
      'something.new | — | fieldOfLater: kept; nested: Role Administrator',
    ],
    [
      entry(
        'worker.group',
        'farm',
        { workers: [{ group: 'Hall D', count: 400, names: ['rig-1', 'rig-2', 'rig-3'] }] },
        { groupName: 'Hall E' },
      ),
      'Workers moved to a group | farm | Workers: 400 workers (Hall D); Group: Hall E',
    ],
    [
      entry('worker.mute', 'farm', { workers: [{ group: null, count: 2, names: ['rig-1', 'rig-2'] }] }, {}),
      'Worker alerts muted | farm | Workers: rig-1, rig-2',
    ],
    [
      entry('alerts.change', null, { quiet: null }, { quiet: { from: 1320, to: 420, timeZone: 'UTC' } }),
      'Alerts changed | — | Quiet hours: from 22:00, to 07:00, time zone UTC',
    ],
    [
      entry('alerts.limit', 'farm/SCRYPT', { hashrate: null }, { hashrate: 1_000_000 }),
      'Account hashrate limit changed | farm · SCRYPT | Limit: 1.00 MH/s',
    ],
    [entry('token.create', '10', null, { name: 'Barn' }), /\| Barn · 10 \|/],
    [entry('worker_group.create', 'Hall E', null, { id: 7, subAccountId: 9 }), 'Worker group created | Hall E | —'],
    [entry('user.close', 'alice', null, null), 'Account deleted | alice | —'],
  ] as const)('amounts, prices and days have their units: %#', async (row, text) => {
    const { container } = await renderPage(<Line row={row} />, { path: '/' });
    expect(plain(container)).toMatch(text);
  });

  test('in Arabic a change leads to the left, and addresses around it do not turn it', async () => {
    const row = entry('wallet.change', 'barn', { btcAddress: 'bc1qa' }, { btcAddress: 'bc1qb' });
    const { container } = await renderPage(<Line row={row} />, { path: '/', language: 'ar' });
    await waitFor(() => expect(container).toHaveTextContent('\u2068bc1qa\u2069 ← \u2068bc1qb\u2069'));
  });
});
