import { screen } from '@testing-library/react';
import { PageLink } from './page-link';
import { renderPage } from '../testing';

test('leads to the page that another remote has by this id', async () => {
  await renderPage(
    <PageLink page="workers.list" search="?state=low">
      6 low
    </PageLink>,
  );
  expect(screen.getByRole('link', { name: '6 low' })).toHaveAttribute('href', '/workers/?state=low');
});

test('without that page there is no link', async () => {
  const { container } = await renderPage(<PageLink page="map.list">Map</PageLink>);
  expect(container).toHaveTextContent('');
  await renderPage(
    <PageLink page="map.list" keepWords className="words">
      Map
    </PageLink>,
  );
  expect(screen.getByText('Map')).toHaveClass('words');
  expect(screen.queryByRole('link')).toBeNull();
});
