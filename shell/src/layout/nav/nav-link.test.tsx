import { screen } from '@testing-library/react';
import { renderPage } from '@pool/shared/testing';
import { NavLink } from './nav-link';

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
