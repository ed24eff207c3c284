import { useQuery } from '@tanstack/react-query';
import { act, screen, within } from '@testing-library/react';
import { setByServer } from '../../../api/clock';
import { problem, renderPage } from '../../../testing';
import {
  Btc,
  Button,
  CopyField,
  ErrorPanel,
  Hashrate,
  Hint,
  Loading,
  Notice,
  Panel,
  QueryError,
  Segments,
  Sparkline,
  StateMark,
  TimeAgo,
  Usd,
  useConfirm,
  useToasts,
  WidgetBoundary,
} from '..';

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
  test.each([
    [3_412_999, '0.03412 BTC'],
    [5_000_000, '0.05000 BTC'],
    [120, '0.00000120 BTC'],
    [0, '0 BTC'],
    [409_274_000, '4.09274 BTC'],
    [-3_412_999, '-0.03412 BTC'],
    [100_000_000, '1.00000 BTC'],
  ])('a headline of %d satoshis is cut off, never rounded up: %s', async (sats, shown) => {
    const { container } = await renderPage(<Btc sats={sats} short />);
    expect(text(container)).toBe(shown);
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

test("a state is a shape and a word, in the reader's language", async () => {
  const { container } = await renderPage(<StateMark state="offline" />, { language: 'ru' });
  expect(container).toHaveTextContent('Не в сети');
  expect(container.querySelector('svg')).toHaveAttribute('aria-hidden', 'true');
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
  const query = {
    data: undefined as unknown,
    error: problem(503, 'never_heard_of'),
    isFetching: false,
    dataUpdatedAt: 0,
    refetch: jest.fn(() => Promise.resolve()),
  };
  beforeEach(() => query.refetch.mockClear());
  test('show a message, the id of the request, and Retry', async () => {
    const { user } = await renderPage(<QueryError query={query} />);
    const alert = screen.getByRole('alert');
    expect(alert).toHaveTextContent('The pool could not answer.');
    expect(alert).toHaveTextContent('req-test-1');
    await user.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(query.refetch).toHaveBeenCalledTimes(1);
  });
  test('beside older data they show its time; the message is readable', async () => {
    const at = Date.UTC(2025, 10, 21, 14, 32);
    const { user } = await renderPage(<QueryError query={{ ...query, data: [], dataUpdatedAt: at }} />);
    const alert = screen.getByRole('alert');
    expect(alert).toHaveTextContent('Data from 21 Nov 2025, 14:32 UTC');
    expect(alert).toHaveTextContent('The pool could not answer.');
    expect(alert).toHaveTextContent('req-test-1');
    await user.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(query.refetch).toHaveBeenCalledTimes(1);
  });
  test('without an error show nothing', async () => {
    await renderPage(<QueryError query={{ ...query, error: null }} />);
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
  test('a request without a response has its own message', async () => {
    await renderPage(<ErrorPanel error={problem(0, 'offline')} />);
    expect(screen.getByRole('alert')).toHaveTextContent('The pool does not answer.');
  });
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
    jest.restoreAllMocks();
  });
  test('a hint shows on keyboard focus', async () => {
    const { user } = await renderPage(<Hint text="±0.4 PH/s">21.3 PH/s</Hint>);
    await user.tab();
    expect(await screen.findByRole('tooltip')).toHaveTextContent('±0.4 PH/s');
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

describe('toasts and confirmations', () => {
  function Page({ onOk }: { onOk?: () => void }) {
    const toasts = useToasts();
    const confirm = useConfirm();
    return (
      <>
        <Button onClick={() => toasts.success('Saved')}>Save</Button>
        <Button onClick={() => confirm({ title: 'Delete it?', okText: 'Delete', onOk })}>Ask</Button>
      </>
    );
  }
  test('a toast called before its code is loaded shows', async () => {
    const { user } = await renderPage(<Page />);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Saved')).toBeInTheDocument();
  });
  test('a confirmation runs its action', async () => {
    const ok = jest.fn();
    const { user } = await renderPage(<Page onOk={ok} />);
    await user.click(screen.getByRole('button', { name: 'Ask' }));
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    expect(ok).toHaveBeenCalledTimes(1);
  });
});
