import { renderPage } from '@pool/shared/testing';
import { screen, within } from '@testing-library/react';
import type { NavGroup } from '../../remotes/registry';
import { SideNav } from './side-nav';
import TopNav from './top-nav';
import { useEscape } from './use-escape';

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
  // Those beside each other close each other, not those around them.
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
