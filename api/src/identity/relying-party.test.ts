import { relyingParty } from './passkey-question';

it.each([
  ['https://pool.example', undefined, 'pool.example'],
  ['http://pool.example', 'https://pool.example/', 'pool.example'],
  ['http://localhost:3000', undefined, 'localhost'],
  ['https://192.0.2.1', undefined, null],
  ['https://other.example', 'https://pool.example/', null],
])('at %s of a pool at %s they are for %s', (requested, publicUrl, id) => {
  expect(relyingParty(requested, publicUrl)?.id ?? null).toBe(id);
});
