/** The file that miners are served by while PostgreSQL is away. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../../testing/folder';
import { silent } from '../../stratum/testing/test-proxy';
import { Snapshot } from './snapshot';

it('a file of the build before is read: its pools have their columns as in the database', () => {
  const file = join(newFolder(), 'snapshot.json');
  const facts = {
    version: 1,
    database: 'host/pool',
    accounts: [{ subAccountId: 5, name: 'bob', userId: 2, minerPassword: null }],
    pools: [
      {
        ...{ id: 7, user_id: 2, name: 'Mine', algorithm: 'SCRYPT', url: 'stratum+tcp://pool.test:3333' },
        ...{ user_name: 'bob', password: null, place_id: 9, sub_account_id: 5 },
      },
    ],
    ports: [],
  };
  writeFileSync(file, JSON.stringify(facts));
  const snapshot = new Snapshot({ file, database: 'host/pool', log: silent, everyMs: 1000 });
  expect(snapshot.pools(5, 'SCRYPT')).toEqual([
    {
      ...{ id: 7, userId: 2, name: 'Mine', algorithm: 'SCRYPT', url: 'stratum+tcp://pool.test:3333' },
      ...{ userName: 'bob', password: null, placeId: 9, subAccountId: 5 },
    },
  ]);
});
