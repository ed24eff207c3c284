/**
 * jest's `globalSetup` of the server's tests. With TEST_DATABASE=postgresql, which `npm test` sets, those that do not
 * need the embedded database use databases of one PostgreSQL, where they take half the time.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../config';
import { TYPESCRIPT } from '../../testing/typescript';
import { bundleServer } from '../../../../scripts/build/server';
import { bundlePackages } from '../../../../scripts/test/packages.cjs';
import { openDatabase } from '../database';
import { startCluster, type Cluster } from './postgres';

export const run: { cluster?: Cluster } = {};

async function makeTemplate(): Promise<void> {
  const maker = join(ROOT, 'api/src/db/testing/make-template.ts');
  process.env.DATABASE_TEMPLATE = (await promisify(execFile)(process.execPath, [...TYPESCRIPT, maker])).stdout;
}

async function startDatabases(): Promise<void> {
  if (process.env.TEST_DATABASE !== 'postgresql') return;
  run.cluster = await startCluster();
  // A new database is a copy of `template1`: the migrations run once.
  const template = new URL(run.cluster.url);
  template.pathname = '/template1';
  const { close } = await openDatabase({ url: template.href });
  await close();
  process.env.TEST_DATABASE_URL = run.cluster.url;
}

export default async function setUp(): Promise<void> {
  await Promise.all([bundleServer(), bundlePackages(), makeTemplate(), startDatabases()]);
  process.env.SERVER_BUNDLE = '1';
}
