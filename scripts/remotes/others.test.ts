import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { faultsOfPages } from './others';

const folder = mkdtempSync(path.join(tmpdir(), 'pool-pages-'));
afterAll(() => rmSync(folder, { recursive: true }));

const OTHERS = [{ name: 'workers', basePath: '/workers', links: { pools: '/workers/pools' } }] as const;
const faults = (code: string, file = 'page.tsx'): string[] => {
  writeFileSync(path.join(folder, file), code);
  return faultsOfPages(folder, OTHERS);
};

test.each([
  `<Link to="/workers/pools">`,
  "navigate('/workers')",
  'const to = `/workers/${id}`;',
  '<Link to={`/workers/?${params}`}>',
  `<a href='/workers#top'>`,
])('refuses the path of another remote’s page: %s', (code) => {
  expect(faults(code)).toEqual([
    expect.stringMatching(/^src\/page\.tsx: \/workers\S* is a page of 'workers': link to it/),
  ]);
});

test.each([
  `<PageLink page="workers.pools">`,
  `<PageLink page="map.list">`,
  "api('GET /workers/{id}/events')",
  "'/workersets/'",
])('takes %s', (code) => expect(faults(code)).toEqual([]));

test('refuses an id that the other remote does not have', () => {
  expect(faults(`<PageLink page="workers.pool">`)).toEqual([
    "src/page.tsx: 'workers.pool' is no page that mfe-workers/remote.json has in its `links`",
  ]);
  expect(faults('')).toEqual([]);
  expect(faults(`<Link to="/workers/pools">`, 'page.test.tsx')).toEqual([]);
});
