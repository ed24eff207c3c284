import { ALL_ACCOUNTS } from '@pool/shared';
import { defineSlot, useSession } from '@pool/shared/remote';
import { screen, within } from '@testing-library/react';
import { remoteManifest } from '../../remotes/testing/manifest';
import { open } from './testing/account';

jest.mock('@module-federation/enhanced/runtime', () => ({
  loadRemote: () => Promise.resolve(defineSlot(() => <p>{useSession().account} has 3 kW</p>)),
  registerRemotes: () => undefined,
  registerPlugins: () => undefined,
  getInstance: () => null,
  satisfy: () => true,
}));

beforeAll(() => {
  globalThis.PerformanceObserver = class {
    observe() {}
    disconnect() {}
  } as unknown as typeof PerformanceObserver;
  globalThis.IntersectionObserver = class {
    constructor(private readonly tell: (entries: { isIntersecting: boolean }[]) => void) {}
    observe() {
      this.tell([{ isIntersecting: true }]);
    }
    disconnect() {}
  } as unknown as typeof IntersectionObserver;
});

const REMOTE = remoteManifest('power', {
  pickers: ['account'],
  slots: [{ place: 'account', part: 'meter', label: 'power.meter' }],
});
const ANSWERS = { 'GET /remotes': [REMOTE, { ...REMOTE, name: 'map', slots: undefined }] };
const tabs = async () => within(await screen.findByRole('navigation', { name: 'Account pages' })).getAllByRole('link');

test("is named by the remote, stands after the pool's own tabs and shows the part", async () => {
  await open('with/power/', ANSWERS);
  const shown = (await tabs()).filter((tab) => tab.hasAttribute('aria-current'));
  expect(shown).toEqual([(await tabs()).at(-1)]);
  expect(shown[0]).toHaveTextContent('power.meter');
  const part = within(screen.getByRole('region', { name: 'power.meter' }));
  expect(await part.findByText('northfield has 3 kW')).toBeVisible();
});

test('asks which sub-account, while all are chosen and the part is of one', async () => {
  await open('with/power', ANSWERS, { session: { account: ALL_ACCOUNTS } });
  expect(await screen.findByText('This page is about one sub-account. Which one?')).toBeVisible();
  expect(screen.queryByRole('region', { name: 'power.meter' })).toBeNull();
});
