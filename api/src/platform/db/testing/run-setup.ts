/**
 * jest's `globalSetup` of the server's tests. With TEST_DATABASE=postgresql, which `npm test` sets, those that do not
 * need the embedded database use databases of one PostgreSQL, where they take half the time; with TEST_DATABASE_URL
 * those of another, which may be the coordinator of a Citus: TEST_CITUS says so to the tests of one.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../../root';
import { TYPESCRIPT } from '../../../testing/typescript';
import { bundleServer } from '../../../../../scripts/build/server';
import { citusNodes, startCluster, type Cluster } from './postgres';

export const run: { cluster?: Cluster } = {};

export async function startDatabases(): Promise<void> {
  const urls: string[] = [];
  if (process.env.TEST_DATABASE === 'postgresql') {
    run.cluster = await startCluster();
    process.env.TEST_DATABASE_URL = run.cluster.url;
    urls.push(run.cluster.url);
  }
  const { TEST_DATABASE_URL: url } = process.env;
  if (url && (await citusNodes(url)).length > 0) process.env.TEST_CITUS = '1';
  const maker = join(ROOT, 'api/src/platform/db/testing/make-template.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [...TYPESCRIPT, maker, ...urls]);
  process.env.DATABASE_TEMPLATE = stdout;
}

export default async function setUp(): Promise<void> {
  process.env.TEST_FOLDER = mkdtempSync(join(tmpdir(), 'pool-tests-'));
  await Promise.all([bundleServer(), startDatabases()]);
  process.env.SERVER_BUNDLE = '1';
}
