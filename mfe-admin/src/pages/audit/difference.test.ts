import { linesOf } from './difference';

test('only what differs is said, nested values as JSON', () => {
  expect(
    linesOf({ role: 'miner', fee: null, ports: { SCRYPT: 1 } }, { role: 'admin', fee: 1, ports: { SCRYPT: 1 } }),
  ).toEqual([
    { field: 'role', before: 'miner', after: 'admin' },
    { field: 'fee', before: '', after: '1' },
  ]);
  expect(linesOf(null, { id: 3, canary: { percent: 10 } })).toEqual([
    { field: 'id', before: '', after: '3' },
    { field: 'canary', before: '', after: '{"percent":10}' },
  ]);
  expect(linesOf(undefined, undefined)).toEqual([]);
});
