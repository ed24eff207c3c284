/** Faults of one process of several with a role each, with its alarm (docs/monitoring.md, faults). */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Role } from '../../platform/config';
import type { Around } from '../../testing/server-process';
import { shiftedClock } from '../../testing/shifted-clock';
import { inNamespace } from './testing/namespace';
import { Product } from './testing/product';

const ROLES = ['web', 'stratum', 'worker'] as const;
const OFF = {
  'a minute and a half ahead': 90,
  'a day ahead': 86_400,
  'a minute and a half behind': -90,
  'a day behind': -86_400,
} as const;
const SOON_S = 20;

const heavy = process.env.HEAVY ? describe : describe.skip;
heavy('a process of its own for each role', () => {
  let product: Product;
  beforeAll(async () => {
    product = await Product.start({ roles: ROLES });
  }, 180_000);
  afterAll(() => product.stop());

  const restart = async (role: Role, around?: Around): Promise<void> => {
    await product.end(role, 'SIGTERM');
    await product.run(role, {}, around);
  };

  it.each(ROLES.flatMap((role) => Object.entries(OFF).map(([off, seconds]) => [role, off, seconds] as const)))(
    'clock of the %s process that is %s: no day is closed early',
    (role, _, seconds) =>
      product.suffer({
        alarm: 'ClocksApart',
        begin: () => restart(role, { node: shiftedClock(seconds * 1000) }),
        end: () => restart(role),
        mines: true,
        disconnects: role === 'stratum',
        seconds: SOON_S,
      }),
  );

  it.each(ROLES)('full disk of the %s process', async (role) => {
    const folder = product.dataDir(role);
    const room = 'cp -a "$1" "$1.kept" && mount -t tmpfs -o size=4m tmpfs "$1" && cp -a "$1.kept/." "$1"';
    await restart(role, inNamespace(room, folder));
    // The process's own view of its folder.
    const fill = join('/proc', String(product.servers.get(role)?.child.pid), 'root', folder, 'fill');
    await product.suffer({
      alarm: 'DiskNearlyFull',
      begin: () => expect(() => writeFileSync(fill, Buffer.alloc(2 ** 23))).toThrow('ENOSPC'),
      end: () => rmSync(fill),
      mines: role !== 'stratum',
      ...(role === 'stratum' && { hindrance: 'journal' }),
    });
    await restart(role);
  });
});
