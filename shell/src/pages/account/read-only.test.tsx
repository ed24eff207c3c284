import { screen, within } from '@testing-library/react';
import { ACCOUNT_TABS, type AccountTab } from '@pool/shared/shell-pages';
import { open } from './testing/account';

const ANSWERS = {
  'GET /watchers': [token('tablet')],
  'GET /apiKeys': [token('script')],
  'GET /webhooks': [
    { id: 1, url: 'https://hooks.example/in', events: [], stoppedAt: null, createdAt: '2026-01-01T00:00:00.000Z' },
  ],
  'GET /webhooks/{id}/deliveries': [],
  'GET /telegram/': [
    {
      id: 1,
      chatId: 7,
      username: 'north',
      language: 'en' as const,
      status: 'linked' as const,
      linkedAt: '2026-01-01T00:00:00.000Z',
      subAccountIds: [],
      events: [],
    },
  ],
};
function token(name: string) {
  const at = '2026-01-01T00:00:00.000Z';
  return {
    id: 1,
    name,
    prefix: 'wt_12',
    scopes: ['hashrate' as const],
    createdAt: at,
    lastUsedAt: null,
    expiresAt: null,
  };
}

/** What each tab shows when it has loaded. */
const SHOWN: Partial<Record<AccountTab, string | RegExp>> = {
  profile: 'ops@northfield.example',
  'sub-accounts': 'barn',
  alerts: 'Many rejected shares',
  watchers: 'tablet',
  'api-keys': 'script',
  telegram: /@north/,
  log: 'Nothing yet',
};
/** Nothing of these writes: they copy, download, load more or show a picture. */
const READS = /copy|csv|download|notes?$/i;

describe("a user's account, looked at by an admin", () => {
  test.each(Object.entries(SHOWN))('%s: has what the user sees and nothing that writes', async (tab, text) => {
    const { api } = await open(tab === 'profile' ? '' : tab, ANSWERS, {}, { readOnly: true });
    expect((await screen.findAllByText(text))[0]).toBeVisible();
    const buttons = screen.queryAllByRole('button').filter((button) => !button.hasAttribute('disabled'));
    expect(
      buttons
        .map((button) => button.getAttribute('aria-label') ?? button.textContent)
        .filter((name) => !READS.test(name ?? '')),
    ).toEqual([]);
    expect(document.querySelector('form')).toBeNull();
    for (const box of screen.queryAllByRole('checkbox')) expect(box).toBeDisabled();
    expect(api.calls.filter(({ call }) => !call.startsWith('GET '))).toEqual([]);
  });

  test('the sign-in is that of who is signed in: there is no tab of it', async () => {
    await open('', ANSWERS, {}, { readOnly: true });
    const tabs = within(screen.getByRole('navigation')).getAllByRole('link');
    expect(tabs).toHaveLength(Object.keys(ACCOUNT_TABS).length - 1);
    expect(screen.queryByRole('link', { name: 'Security' })).toBeNull();
  });
});
