/** A remote that fails in browsers, with its alarm (docs/monitoring.md, faults). */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mapManifest } from '../../remotes/testing/manifest';
import { call, sessionOf } from '../../testing/calls';
import { PASSWORD } from '../testing/product';
import { heavy, Product } from './testing/product';

/** Errors at each of the users, of whom one alone raises no alarm. */
const FAILED = 4;
const USERS = 5;

let product: Product;
afterEach(() => product.stop());

heavy('a remote that fails in browsers: they tell, and nothing else is touched', async () => {
  product = await Product.start();
  const [remotes, version] = [join(product.folder, 'remotes'), '1.0.0'];
  mkdirSync(join(remotes, 'map', version), { recursive: true });
  writeFileSync(join(remotes, 'map', version, 'manifest.json'), JSON.stringify(mapManifest(version)));
  writeFileSync(join(remotes, 'map/current.json'), JSON.stringify({ version }));
  await product.end();
  await product.run('server', { REMOTES_DIR: remotes });
  const port = Number(new URL(product.urls.get('server') ?? '').port);
  const url = product.urls.get('server') ?? '';
  const others = Array.from({ length: USERS - 1 }, (_, index) => `user${index}`);
  for (const username of others)
    await fetch(`${url}/__clerk/v1/client/sign_ups`, {
      method: 'POST',
      headers: { origin: url },
      body: new URLSearchParams({ username, email_address: `${username}@example.com`, password: PASSWORD }),
    });
  const tell = async (errors: readonly object[]): Promise<void> => {
    for (const user of ['alice', ...others]) {
      const { token } = await sessionOf(port, user, PASSWORD);
      const mounts = Array.from({ length: FAILED }, () => ({ remote: 'map', version, ms: 200 }));
      await call(port, token, '/client-errors', 'POST', { shell: 'abc', mounts, errors });
    }
  };
  await tell([]);
  const load = { kind: 'load', remote: 'map', version, message: 'no file', stack: '' };
  await product.suffer({
    alarm: 'RemoteFails',
    begin: () => tell([{ ...load, count: FAILED, faultyMounts: FAILED }]),
    end: () => tell([]),
    mines: true,
    seconds: 20,
  });
});
