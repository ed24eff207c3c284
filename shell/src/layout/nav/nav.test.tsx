import { fakeApi, refusing, renderPage, textsIn } from '@pool/shared/testing';
import { act, screen, within } from '@testing-library/react';
import TopNav from './top-nav';
import type { NavGroup } from '../../remotes/registry';
import { NavBadge } from './nav-badge';
import { NavLink } from './nav-link';
import { Places } from './places';
import { SideNav } from './side-nav';
import { useEscape } from './use-escape';
import { followSwipes, goesOn } from './swipe';
import { byDay, grouped, type Notification } from '../inbox/items';

const link = (path: `/${string}`, label: string) => ({ path, label, icon: 'users', order: 1 }) as const;
const main: NavGroup = {
  title: '',
  links: [link('/dashboard/', 'Dashboard')],
  groups: [
    {
      title: 'Farm',
      links: [link('/farm/', 'All halls')],
      groups: [
        {
          title: 'Halls',
          links: [link('/farm/halls/', 'Hall A')],
          groups: [{ title: 'Racks', links: [link('/farm/racks/', 'Rack 1')], groups: [] }],
        },
        { title: 'Power', links: [link('/farm/power/', 'Meters')], groups: [] },
      ],
    },
    { title: 'Admin', icon: 'M1 2', links: [link('/admin/', 'Users')], groups: [] },
  ],
};
const place = { main, carried: '' };
const props = { ...place, algorithm: 'SHA256_ASICBOOST', accordion: true } as const;
const group = (title: string) => screen.getByText(title).closest('details') as HTMLDetailsElement;
const open = () => ['Farm', 'Halls', 'Racks', 'Power', 'Admin'].filter((title) => group(title).open);

test('at the side, groups in groups are open as far as the shown page is in them', async () => {
  const frame = { kind: 'fixed', collapsed: false, onToggle: jest.fn() } as const;
  const { unmount } = await renderPage(<SideNav {...props} frame={frame} active="/farm/racks/" />);
  expect(open()).toEqual(['Farm', 'Halls', 'Racks']);
  expect(within(group('Halls')).getByRole('link', { name: 'Rack 1' })).toHaveAttribute('aria-current', 'page');
  // Opening a group closes its siblings, not its parents.
  expect(group('Halls').getAttribute('name')).toBe(group('Power').getAttribute('name'));
  expect(new Set(['Farm', 'Halls', 'Racks'].map((title) => group(title).getAttribute('name'))).size).toBe(3);
  unmount();
  await renderPage(<SideNav {...props} accordion={false} frame={frame} active="/dashboard/" />);
  expect(open()).toEqual(['Farm']);
  expect(group('Admin')).not.toHaveAttribute('name');
  expect(within(group('Admin')).getByText('Admin').previousElementSibling?.innerHTML).toContain('M1 2');
});

test('on top, a group in a group is a menu in its menu, which opens to the side with room', async () => {
  await renderPage(<TopNav {...place} active={null} />);
  const halls = within(screen.getByRole('list', { name: 'Farm' })).getByRole('list', { name: 'Halls' });
  expect(within(halls).getByRole('link', { name: 'Rack 1' })).toHaveAttribute('href', '/farm/racks/');
  expect(screen.getByRole('button', { name: 'Admin' }).innerHTML).toContain('M1 2');
  const title = screen.getByRole('button', { name: 'Halls' });
  const box = jest.spyOn(halls, 'getBoundingClientRect');
  box.mockReturnValue({ left: 10, right: 230 } as DOMRect);
  Object.defineProperty(document.documentElement, 'clientWidth', { value: 200, configurable: true });
  title.focus();
  expect(title.parentElement).toHaveAttribute('data-flip');
  title.blur();
  box.mockReturnValue({ left: 10, right: 190 } as DOMRect);
  title.focus();
  expect(title.parentElement).not.toHaveAttribute('data-flip');
});

test('Escape closes a menu on top; the focus goes to its title, and opens it when it comes again', async () => {
  function Page() {
    useEscape();
    return <TopNav {...place} active={null} />;
  }
  const { user } = await renderPage(<Page />);
  const nav = screen.getByRole('navigation');
  within(nav).getByRole('link', { name: 'Rack 1' }).focus();
  expect(nav).not.toHaveAttribute('data-closed');
  await user.keyboard('{Escape}');
  expect(nav).toHaveAttribute('data-closed');
  expect(screen.getByRole('button', { name: 'Farm' })).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(nav).not.toHaveAttribute('data-closed');
  await user.keyboard('{Escape}');
  expect(nav).toHaveAttribute('data-closed');
  await user.tab();
  expect(nav).not.toHaveAttribute('data-closed');
});

test('a phone has the first links of the group that is shown, and marks the way to the others while one of them is', async () => {
  const links = ['One', 'Two', 'Three', 'Four'].map((label) => link(`/${label}/`, label));
  const wide = { ...main, links: [{ ...link('/off/', 'Off'), disabled: true }, ...links] };
  const onMore = jest.fn();
  const shownAt = async (active: string) => {
    const { user, unmount } = await renderPage(<Places main={wide} carried="" active={active} onMore={onMore} />);
    const names = textsIn(screen.getAllByRole('link'));
    const current = document.querySelector('[aria-current]')?.textContent;
    await user.click(screen.getByRole('button', { name: 'More' }));
    unmount();
    return { names, current };
  };
  const names = ['One', 'Two', 'Three'];
  expect(await shownAt('/Two/')).toEqual({ names, current: 'Two' });
  expect(await shownAt('/Four/')).toEqual({ names, current: 'More' });
  expect(await shownAt('/farm/racks/')).toEqual({ names: ['All halls', 'Hall A', 'Rack 1'], current: 'Rack 1' });
  expect(onMore).toHaveBeenCalledTimes(3);
});

describe('a badge', () => {
  const counts = { online: 3, low: 0, offline: 2, inactive: 0, total: 5 };
  const badge = { count: 'offline-workers', label: 'workers.nav.offline' } as const;

  test('a count beside a link, in the words of the remote', async () => {
    await renderPage(<NavBadge {...badge} />, { api: fakeApi({ 'GET /getWorkerCount/': counts }) });
    expect(await screen.findByLabelText('2 workers offline')).toHaveTextContent('2');
  });

  test('nothing while it is zero', async () => {
    const api = fakeApi({ 'GET /getWorkerCount/': { ...counts, offline: 0 } });
    const { services, container } = await renderPage(<NavBadge {...badge} />, { api });
    await services.queryClient.refetchQueries();
    expect(container).toHaveTextContent('');
  });

  test('a number in the answer of a call that the remote names, of the shown account', async () => {
    const api = fakeApi({ 'GET /getWorkerCount/': counts });
    const query = { subAccountName: '{account}', algorithm: '{algorithm}' };
    const count = { call: 'GET /getWorkerCount/', query, field: 'total' } as const;
    await renderPage(<NavBadge {...badge} count={count} />, { api });
    expect(await screen.findByLabelText('5 workers offline')).toHaveTextContent('5');
    expect(api.sent('GET /getWorkerCount/')).toMatchObject([
      { query: { subAccountName: 'northfield', algorithm: 'SHA256_ASICBOOST' } },
    ]);
  });

  test('nothing when its call fails, or has no such number', async () => {
    const api = fakeApi({ 'GET /getWorkerCount/': refusing(503, 'server_error') });
    const count = { call: 'GET /getWorkerCount/', field: 'missing.number' } as const;
    const { services, container } = await renderPage(<NavBadge {...badge} count={count} />, { api });
    await services.queryClient.refetchQueries();
    expect(container).toHaveTextContent('');
    api.answer({ 'GET /getWorkerCount/': counts });
    await act(() => services.queryClient.refetchQueries());
    expect(container).toHaveTextContent('');
  });
});

describe('a link', () => {
  const place = { active: '/workers/', carried: '?account=barn', styles: {} };
  const workers = { path: '/workers/', label: 'Workers', icon: 'workers', order: 1 } as const;

  test('a link of the navigation carries what is picked and marks the shown page', async () => {
    await renderPage(<NavLink {...place} link={workers} />);
    const link = screen.getByRole('link', { name: 'Workers' });
    expect(link).toHaveAttribute('href', '/workers/?account=barn');
    expect(link).toHaveAttribute('aria-current', 'page');
    expect(link).not.toHaveAttribute('target');
  });

  test('another site opens in a new tab and learns nothing of this one, a page when it asks for one', async () => {
    await renderPage(
      <>
        <NavLink {...place} link={{ ...workers, path: 'https://status.example/', label: 'Status' }} />
        <NavLink {...place} link={{ ...workers, newTab: true }} />
      </>,
    );
    expect(screen.getByRole('link', { name: 'Status' })).toHaveAttribute('href', 'https://status.example/');
    for (const link of screen.getAllByRole('link')) {
      expect(link).toHaveAttribute('target', '_blank');
      expect(link).toHaveAttribute('rel', 'noreferrer');
    }
  });

  test('a disabled link is named and leads nowhere', async () => {
    await renderPage(<NavLink {...place} link={{ ...workers, disabled: true }} />);
    const link = screen.getByRole('link', { name: 'Workers' });
    expect(link).toHaveAttribute('aria-disabled', 'true');
    expect(link).not.toHaveAttribute('href');
  });
});

test.each([
  [150, 0, false],
  [157, 0, true],
  [40, 440, false],
  [40, 460, true],
  [0, 900, false],
])('moved by %i px of 300 at %i px/s: %p', (moved, speed, goes) => {
  expect(goesOn(moved, speed, 300)).toBe(goes);
});

describe('a finger', () => {
  let dialog: HTMLDialogElement;
  let stop: () => void;
  let time = 0;
  const open = jest.fn(() => dialog.setAttribute('open', ''));
  const close = jest.fn(() => dialog.removeAttribute('open'));
  const touch = (type: string, x = 0, y = 300) =>
    document.dispatchEvent(
      Object.assign(new Event(type), { touches: type === 'touchend' ? [] : [{ clientX: x, clientY: y }] }),
    );
  /** Moves from `from` to `to` within `ms`. */
  const swipe = (from: number, to: number, ms: number, y = 300) => {
    touch('touchstart', from);
    for (let step = 1; step <= 10; step += 1) {
      time += ms / 10;
      touch('touchmove', from + ((to - from) * step) / 10, 300 + ((y - 300) * step) / 10);
    }
    touch('touchend');
    jest.advanceTimersByTime(200);
  };

  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(performance, 'now').mockImplementation(() => time);
    document.documentElement.dir = 'ltr';
    dialog = document.body.appendChild(document.createElement('dialog'));
    dialog.getBoundingClientRect = () => ({ width: 300 }) as DOMRect;
    stop = followSwipes({ dialog, open, close });
  });
  afterEach(() => {
    stop();
    dialog.remove();
    jest.clearAllMocks();
    jest.useRealTimers();
  });

  test('opens the drawer from the edge, and from nowhere else', () => {
    swipe(30, 300, 1000);
    expect(open).not.toHaveBeenCalled();
    swipe(10, 200, 1000);
    expect([open.mock.calls.length, dialog.open]).toEqual([1, true]);
    expect(dialog.style.transform).toBe('');
  });

  test('that lets go too early, slowly, leaves it closed; a fling opens it', () => {
    swipe(10, 120, 1000);
    expect(dialog.open).toBe(false);
    swipe(10, 120, 100);
    expect(dialog.open).toBe(true);
  });

  test('closes it again; a scroll does nothing', () => {
    dialog.setAttribute('open', '');
    swipe(200, 180, 100, 600);
    expect(dialog.open).toBe(true);
    swipe(280, 60, 1000);
    expect(dialog.open).toBe(false);
  });

  test('comes from the other side where lines begin there', () => {
    document.documentElement.dir = 'rtl';
    swipe(10, 200, 1000);
    expect(open).not.toHaveBeenCalled();
    swipe(innerWidth - 10, innerWidth - 220, 1000);
    expect(dialog.open).toBe(true);
  });
});

describe('the inbox', () => {
  const note = (id: number, kind: string, values: Notification['values'] = {}, read = false): Notification => ({
    id,
    kind,
    values,
    path: null,
    createdAt: '2026-11-20T12:00:00.000Z',
    readAt: read ? '2026-11-20T12:01:00.000Z' : null,
  });
  const rig = { account: 'barn', worker: 'rig-1' };

  it('keeps the newest of each worker, and counts its unread ones', () => {
    const groups = grouped([
      note(4, 'worker_recovered', rig),
      note(3, 'payment_sent', { account: 'barn' }),
      note(2, 'worker_offline', rig, true),
      note(1, 'worker_low', rig),
    ]);
    expect(groups.map(({ newest, ids, unread }) => [newest.kind, ids, unread])).toEqual([
      ['worker_recovered', [4, 2, 1], 2],
      ['payment_sent', [3], 1],
    ]);
  });

  it('puts them under their days, the newest first', () => {
    const rows = ['21', '21', '19'].map((day, index) => ({
      ...note(3 - index, 'payment_sent'),
      createdAt: `2026-11-${day}`,
    }));
    const days = byDay(grouped(rows), (at) => at.slice(-2));
    expect(days.map(([day, groups]) => [day, groups.map(({ newest }) => newest.id)])).toEqual([
      ['21', [3, 2]],
      ['19', [1]],
    ]);
  });
});
