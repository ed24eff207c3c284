import type { RemoteManifest, SubAccount } from '@pool/shared';
import { selectedAccount, selectedAlgorithm, selectedZone } from '@pool/shared/selection';
import { renderHook } from '@testing-library/react';
import { carriedSearch, carry } from './carried-params';
import { useFreshTexts } from './use-fresh-texts';
import { whenQuiet } from './when-quiet';

const accounts: SubAccount[] = ['northfield', 'barn'].map((name, id) => ({ id, name, ports: {}, proxyPort: null }));

it('takes the account from the URL only when it belongs to the user', () => {
  expect(selectedAccount('?account=barn', 'northfield', accounts)).toBe('barn');
  expect(selectedAccount('?account=victim', 'northfield', accounts)).toBe('northfield');
  expect(selectedAccount('', 'northfield', accounts)).toBe('northfield');
});

it('starts with SHA256_ASICBOOST and ignores unknown algorithms', () => {
  expect(selectedAlgorithm('')).toBe('SHA256_ASICBOOST');
  expect(selectedAlgorithm('?algorithm=SCRYPT')).toBe('SCRYPT');
  expect(selectedAlgorithm('?algorithm=toString')).toBe('SHA256_ASICBOOST');
});

it('shows times in the zone of the URL, else in that of the settings', () => {
  expect(selectedZone('', 'utc')).toBe('utc');
  expect(selectedZone('?tz=local', 'utc')).toBe('local');
  expect(selectedZone('?tz=mars', 'local')).toBe('local');
});

it('carries timeframe and zone too', () => {
  expect(carriedSearch('?timeframe=d7&tz=local&q=rig')).toBe('?timeframe=d7&tz=local');
});

it('carries account and algorithm to the next page, and nothing else', () => {
  const carried = carriedSearch('?account=barn&algorithm=SCRYPT&state=offline');
  expect(carried).toBe('?account=barn&algorithm=SCRYPT');
  expect(carry('/workers/?state=low#top', carried)).toBe('/workers/?state=low&account=barn&algorithm=SCRYPT#top');
  expect(carry({ pathname: '/workers/', search: '?account=other' }, carried)).toEqual({
    pathname: '/workers/',
    search: '?account=other&algorithm=SCRYPT',
  });
  expect(carry('/workers/', '')).toBe('/workers/');
});

test('what can wait is not fetched before the page itself, however slow the line is', () => {
  jest.useFakeTimers();
  const bar = document.body.appendChild(document.createElement('div'));
  bar.dataset.progress = '';
  const later = jest.fn();
  whenQuiet(later);
  jest.advanceTimersByTime(60_000);
  expect(later).not.toHaveBeenCalled();
  bar.remove();
  jest.advanceTimersByTime(20_000);
  expect(later).toHaveBeenCalledTimes(1);
  whenQuiet(later)();
  jest.advanceTimersByTime(20_000);
  expect(later).toHaveBeenCalledTimes(1);
  jest.useRealTimers();
});

const remote = (name: string, version: string) => ({ name, version }) as RemoteManifest;

it('refetches the texts when a remote has another version, and only then', () => {
  const instance = { reloadResources: jest.fn(() => Promise.resolve()) };
  const view = renderHook(({ remotes }) => useFreshTexts(instance, remotes), {
    initialProps: { remotes: [] as RemoteManifest[] },
  });
  view.rerender({ remotes: [remote('workers', '1')] });
  view.rerender({ remotes: [remote('workers', '1')] });
  expect(instance.reloadResources).not.toHaveBeenCalled();
  view.rerender({ remotes: [remote('workers', '2')] });
  expect(instance.reloadResources).toHaveBeenCalledTimes(1);
});
