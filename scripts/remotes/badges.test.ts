import type { CountOfCall, NavEntry, RemoteSource } from '../../shared/src/contract';
import { faultsOfBadges } from './badges';

const WORKERS: CountOfCall = {
  call: 'GET /getWorkerCount/',
  query: { subAccountName: '{account}', algorithm: '{algorithm}' },
  field: 'offline',
};
const faults = (over: Partial<CountOfCall>, requires?: NavEntry['requires']): string[] => {
  const badge = { count: { ...WORKERS, ...over }, label: 'power.count' };
  const link: NavEntry = { path: '/power/', label: 'power.nav', icon: 'workers', order: 1, badge, requires };
  const remote: RemoteSource = { name: 'power', contract: 1, basePath: '/power', nav: [link] };
  return faultsOfBadges(remote);
};

const USERS: Partial<CountOfCall> = { call: 'GET /admin/overview', query: {}, field: 'users' };

test.each<[string, Partial<CountOfCall>, string]>([
  ['a call that is not there', { call: 'GET /getWorkersCount/' }, "the contract has no 'GET /getWorkersCount/'"],
  ['a call of one thing', { call: 'GET /workers/{id}/events', query: {} }, 'the contract has no'],
  ['a query that the call does not take', { query: { account: '{account}' } }, 'query: '],
  ['a value that is none', { query: { ...WORKERS.query, algorithm: 'MD5' } }, 'query: algorithm: '],
  ['a field that is not in the answer', { field: 'broken' }, "has no number 'broken'"],
  ['a field that is no number', { call: 'GET /getUserInfo/', query: {}, field: 'user.userName' }, 'has no number'],
  ['a call that not every reader may make', USERS, 'the link needs a `requires`'],
])('refuses a count of %s', (_, over, message) => {
  expect(faults(over).join('\n')).toContain(message);
  expect(faults(over)).toHaveLength(1);
});

test('takes a number of an answer that every reader of the link gets', () => {
  expect(faults({})).toEqual([]);
  expect(faults(USERS, { action: 'manage', subject: 'admin' })).toEqual([]);
});
