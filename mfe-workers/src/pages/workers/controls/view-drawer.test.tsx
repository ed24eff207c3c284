import { fakeApi, renderPage } from '@pool/shared/testing';
import { screen, within } from '@testing-library/react';
import { AppRoutes } from '../../../routes';
import { worker } from '../../../testing/worker';

const open = () =>
  renderPage(<AppRoutes />, {
    path: '/workers/',
    route: '/workers/*',
    api: fakeApi({
      'GET /liveWorkers/': {
        workers: [worker({ name: 'rig-1' })],
        counts: { online: 1, low: 0, offline: 0, inactive: 0, total: 1 },
        total: 1,
        nextCursor: null,
      },
    }),
  });
const headings = async () =>
  within(await screen.findByRole('table'))
    .getAllByRole('columnheader')
    .slice(1)
    .map((heading) => heading.textContent);
beforeEach(() => localStorage.clear());

test('columns and rows are chosen beside the list, remembered, and reset', async () => {
  const { user, unmount } = await open();
  expect((await headings()).slice(0, 4)).toEqual(['Worker', 'Group', 'State', 'Last 24 h']);
  await user.click(screen.getByRole('button', { name: 'Columns and rows' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Columns and rows' }));
  expect(drawer.getByRole('checkbox', { name: 'Worker' })).toBeDisabled();
  expect(drawer.getByRole('checkbox', { name: 'Last share' })).toBeChecked();
  await user.click(drawer.getByRole('checkbox', { name: 'Last 24 h' }));
  await user.click(drawer.getByRole('button', { name: 'Move State up' }));
  await user.click(drawer.getByText('Compact'));
  expect((await headings()).slice(0, 4)).toEqual(['Worker', 'State', 'Group', expect.stringMatching(/^5 min/)]);
  expect(screen.getByRole('table').style.getPropertyValue('--row-height')).toBe('36px');
  unmount();

  const again = await open();
  expect((await headings()).slice(0, 3)).toEqual(['Worker', 'State', 'Group']);
  await again.user.click(screen.getByRole('button', { name: 'Columns and rows' }));
  await again.user.click(await screen.findByRole('button', { name: 'Reset' }));
  expect((await headings()).slice(0, 4)).toEqual(['Worker', 'Group', 'State', 'Last 24 h']);
  expect(screen.getByRole('table').style.getPropertyValue('--row-height')).toBe('50px');
  expect(localStorage.getItem('workers.view')).toBeNull();
});
