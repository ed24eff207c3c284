import { contract } from '@pool/shared/api/contract';
import { SAMPLES } from './samples';

test('samples call what an API key may call, and read fields that the answers have', () => {
  const text = Object.values(SAMPLES)
    .map((sample) => sample('https://pool.example'))
    .join('\n');
  const calls = [...text.matchAll(/(?:\/api|pool\(")(\/\w+\/)/g)].map(([, path]) => `GET ${path}` as const);
  expect(new Set(calls)).toEqual(new Set(['GET /getLiveHashrates/', 'GET /getWorkerCount/', 'GET /payment/']));
  for (const call of calls) expect(contract[call as 'GET /payment/'].who).toBe('watcher');
  expect(Object.keys(contract['GET /getLiveHashrates/'].response.shape)).toContain('h1');
  expect(Object.keys(contract['GET /getWorkerCount/'].response.shape)).toContain('total');
  expect(Object.keys(contract['GET /payment/'].response.shape)).toContain('unpaidSat');
});
