import type { SubAccount } from '@pool/shared';
import { selectedAccount, selectedAlgorithm, selectedZone } from '@pool/shared/selection';
import { carry, carriedSearch } from './carried-params';

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
