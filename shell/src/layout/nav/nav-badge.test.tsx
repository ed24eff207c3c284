import { act, screen } from '@testing-library/react';
import { fakeApi, refusing, renderPage } from '@pool/shared/testing';
import { NavBadge } from './nav-badge';

const counts = { online: 3, low: 0, offline: 2, inactive: 0, total: 5 };
const badge = { count: 'offline-workers', label: 'workers.nav.offline' } as const;

test('a count beside a link, in the words of the remote', async () => {
  await renderPage(<NavBadge {...badge} />, { api: fakeApi({ 'GET /getWorkerCount/': counts }) });
  expect(await screen.findByLabelText('2 workers offline')).toHaveTextContent('2');
});

test('its mark has the colour that the remote names, of a trouble without one', async () => {
  const api = () => fakeApi({ 'GET /getWorkerCount/': counts });
  const { container, unmount } = await renderPage(<NavBadge {...badge} />, { api: api() });
  await screen.findByLabelText('2 workers offline');
  expect(container.querySelector('svg')).toHaveClass('error');
  unmount();
  const other = await renderPage(<NavBadge {...badge} color="warning" />, { api: api() });
  await screen.findByLabelText('2 workers offline');
  expect(other.container.querySelector('svg')).toHaveClass('warning');
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
