import type { Answer } from '@pool/shared';
import { refusing } from '@pool/shared/testing';
import { screen, waitFor } from '@testing-library/react';
import { open } from '../testing/account';

describe('audit log', () => {
  const entry = (id: number, action: string): Answer<'GET /audit'>['rows'][number] => ({
    id,
    at: '2026-11-02T03:04:05.000Z',
    userName: 'northfield',
    action,
    subject: 'barn',
    before: null,
    after: { name: '=barn' },
    ip: '192.0.2.7',
  });

  test('shows own entries in words; the filter is in the URL', async () => {
    const { user, api } = await open('log?action=wallet&from=2026-11-01&to=nonsense', {
      'GET /audit': {
        rows: [{ ...entry(2, 'wallet.change'), member: 'anna' }, entry(1, 'something.new')],
        total: 2,
        nextCursor: null,
      },
    });
    expect(await screen.findByText('Address changed')).toBeVisible();
    expect(screen.getByText('something.new')).toBeVisible();
    expect(screen.getByText('anna')).toBeVisible();
    expect(screen.getByLabelText('From (UTC)')).toHaveValue('1 Nov 2026');
    expect(api.sent('GET /audit')[0]).toMatchObject({
      query: { action: 'wallet', from: '2026-11-01', to: undefined, userName: 'northfield' },
    });
    await user.clear(screen.getByLabelText('From (UTC)'));
    await user.tab();
    await waitFor(() => expect(api.sent('GET /audit').at(-1)).toMatchObject({ query: { from: undefined } }));
  });

  test('an outage never shows an empty log', async () => {
    await open('log', {
      'GET /audit': refusing(503, 'server_error'),
    });
    expect(await screen.findByRole('alert')).toHaveTextContent('The pool could not answer');
    expect(screen.queryByText('Nothing yet')).toBeNull();
  });
});
