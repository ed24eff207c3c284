import { databaseOfFile, emptyTables, insertUsers } from '../../platform/db/testing/test-database';
import { askAnother, changesOf, confirming, endHeld, holdUntil, settle, take, takeBack, waitingIn } from './waiting';

const database = databaseOfFile();
const [ANNA, BEN, CARL] = [1, 2, 3];
beforeEach(async () => {
  await emptyTables(database);
  await insertUsers(database, 'anna', 'ben', 'carl', 'farm');
  await database.pool.query("insert into organization (id, user_id, name, slug) values ('org', 4, 'Farm', 'farm')");
});

const owner = (id: number) => ({ id, owns: 'org', isAdmin: false });
const call = 'PUT /wallet/' as const;
const ask = (askedBy: number, text = 'a', against: number | null = null) => {
  const shown = { after: { address: text } } as never;
  return askAnother(database.pool, { call, organizationId: 'org', userId: 4, askedBy, against, content: 'x', shown });
};
const first = async (): Promise<number> => (await waitingIn(database.pool, 'org'))[0]!.id;
const code = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );
const stored = async () =>
  (await database.pool.query('select state, confirmed_by, content from waiting_change order by id')).rows;

test('is taken by one other owner, of two at once, and keeps its content until it is over', async () => {
  await ask(ANNA);
  const id = await first();
  expect(await code(take(database.pool, id, owner(ANNA)))).toBe('same_person');
  expect(await code(take(database.pool, id, { ...owner(BEN), owns: 'other' }))).toBe('unknown_request');
  expect(await code(take(database.pool, id + 1, owner(BEN)))).toBe('unknown_request');
  const both = await Promise.all([BEN, CARL].map((who) => code(take(database.pool, id, owner(who)))));
  expect(both.sort()).toEqual(['done', 'unknown_request']);
  expect(await stored()).toMatchObject([{ state: 'taken', content: 'x' }]);
  expect(await settle(database.pool, id, 'waits', 'done', BEN)).toBe(false);
  expect(await settle(database.pool, id, 'taken', 'waits', null)).toBe(true);
  expect(await stored()).toEqual([{ state: 'waits', confirmed_by: null, content: 'x' }]);
  await take(database.pool, id, owner(BEN));
  await settle(database.pool, id, 'taken', 'done', BEN);
  expect(await stored()).toEqual([{ state: 'done', confirmed_by: BEN, content: null }]);
});

test('is taken back by who asked, declined by another owner, and not by the one against whom it is', async () => {
  for (const [who, expected] of [
    [ANNA, 'done'],
    [BEN, 'done'],
    [CARL, 'unknown_request'],
  ] as const) {
    await ask(ANNA, `for ${who}`, CARL);
    const id = await first();
    expect(await code(takeBack(database.pool, id, owner(who)))).toBe(expected);
    expect(await code(take(database.pool, id, owner(BEN)))).toBe(expected === 'done' ? 'unknown_request' : 'done');
  }
});

test('is over after seven days', async () => {
  await ask(ANNA);
  const id = await first();
  const later = (days: number) =>
    database.pool.query('update waiting_change set ends_at = ends_at - make_interval(days => $1)', [days]);
  await later(6);
  expect(await waitingIn(database.pool, 'org')).toHaveLength(1);
  await later(1);
  expect(await waitingIn(database.pool, 'org')).toEqual([]);
  for (const end of [take, takeBack]) expect(await code(end(database.pool, id, owner(BEN)))).toBe('unknown_request');
});

test('one person has thirty of them, and the same one once; another has as many', async () => {
  for (let n = 0; n < 30; n += 1) await ask(ANNA, String(n));
  expect([await code(ask(ANNA, 'more')), await code(ask(BEN, 'more'))]).toEqual(['too_many_requests', 'done']);
  expect(await code(ask(ANNA, '7'))).toBe('done');
  expect(await waitingIn(database.pool, 'org')).toHaveLength(31);
});

test('what is held names who asked and who confirmed, and ends alone', async () => {
  const until = new Date(Date.now() + 3_600_000);
  const held = (subject: string) => ({ call, userId: 4, subject, shown: {} as never, askedBy: BEN, until });
  await holdUntil(database.pool, held('one'));
  await confirming.run({ askedBy: ANNA }, () => holdUntil(database.pool, held('two')));
  const [one] = await changesOf(database.pool, call, 'one', 9);
  const [two] = await changesOf(database.pool, call, 'two', 9);
  expect([one, two]).toMatchObject([
    { askedBy: BEN, confirmedBy: null, name: 'ben', state: 'waits' },
    { askedBy: ANNA, confirmedBy: BEN, name: 'anna', state: 'waits' },
  ]);
  await endHeld(database.pool, { call, subject: 'one' }, 'taken_back');
  expect((await stored()).map(({ state }) => state)).toEqual(['taken_back', 'waits']);
});
