import { screen } from '@testing-library/react';
import { LinkTabs } from './link-tabs';
import { renderPage } from '../testing';

const TABS = [
  { name: 'first', to: '/first', text: 'First' },
  { name: 'second', to: { search: 'tab=second' }, text: 'Second' },
] as const;

test('tabs are links; the one that is shown says so and is in view', async () => {
  const rect = jest.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return (this.tagName === 'NAV' ? { left: 0, width: 300 } : { left: 400, width: 100 }) as DOMRect;
  });
  await renderPage(<LinkTabs label="Pages" tabs={TABS} shown="second" />, { path: '/here' });
  rect.mockRestore();
  expect(screen.getByRole('link', { name: 'First' })).toHaveAttribute('href', '/first');
  expect(screen.getByRole('link', { name: 'First' })).not.toHaveAttribute('aria-current');
  expect(screen.getByRole('link', { name: 'Second' })).toHaveAttribute('href', '/here?tab=second');
  expect(screen.getByRole('link', { name: 'Second' })).toHaveAttribute('aria-current', 'page');
  expect(screen.getByRole('navigation', { name: 'Pages' }).scrollLeft).toBe(300);
});
