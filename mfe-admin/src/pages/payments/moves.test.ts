import { payment } from '../../testing/payment';
import { changesOf, movesFrom, sortOut } from './moves';
import { COMMANDS, readTxids } from './exports';

const boss = { userName: 'boss', fourEyes: true };

test('each state offers what the server allows from it', () => {
  expect(movesFrom('pending')).toEqual(['approve', 'cancel']);
  expect(movesFrom('queued')).toEqual(['hand', 'send', 'fail', 'cancel']);
  expect(movesFrom('unknown')).toEqual(['send', 'fail']);
  expect(movesFrom('sent')).toEqual(['confirm', 'mend', 'fail']);
  expect(movesFrom('failed')).toEqual(['requeue']);
  expect([...movesFrom('confirmed'), ...movesFrom('cancelled')]).toEqual([]);
});

test('what cannot be paid is left out, and says why', () => {
  const { moving, left } = sortOut(
    [
      payment({ id: 1 }),
      payment({ id: 2, heldUntil: '2026-11-25T00:00:00.000Z' }),
      payment({ id: 3, address: null }),
      payment({ id: 4, reason: 'paused' }),
      payment({ id: 5, status: 'queued' }),
    ],
    'approve',
    boss,
  );
  expect(moving.map(({ id }) => id)).toEqual([1]);
  expect(left.map(({ payment: { id }, why }) => [id, why])).toEqual([
    [2, 'address_hold'],
    [3, 'no_address'],
    [4, 'paused'],
  ]);
});

test('with four eyes only others send; a payment that a node has is marked as sent even on hold', () => {
  const queued = payment({ status: 'queued', approvedBy: 'boss' });
  expect(sortOut([queued], 'send', boss).left).toMatchObject([{ why: 'same_person' }]);
  expect(sortOut([queued], 'send', { ...boss, fourEyes: false }).moving).toHaveLength(1);
  const held = payment({ status: 'unknown', heldUntil: '2026-11-25T00:00:00.000Z' });
  expect(sortOut([held], 'send', boss).moving).toHaveLength(1);
});

test('the fee of one transaction is divided without losing a satoshi', () => {
  const changes = changesOf(
    [1, 2, 3].map((id) => payment({ id, status: 'queued' })),
    'send',
    { txid: 'ab'.repeat(32), feeSat: 1001 },
  );
  expect(changes.map((change) => 'networkFeeSat' in change && change.networkFeeSat)).toEqual([334, 334, 333]);
});

describe('exports', () => {
  const A = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
  const B = '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy';
  const TX = 'ab'.repeat(32);
  const payments = [
    payment({ id: 7, address: A, amountSat: 1 }),
    payment({ id: 8, address: B, amountSat: 210_000_000 }),
    payment({ id: 9, address: A, amountSat: 29_000_000 }),
  ];

  test('commands pay each address once, with exact amounts', () => {
    expect(COMMANDS.sendmany(payments)).toBe(`bitcoin-cli sendmany "" '{"${A}": 0.29000001, "${B}": 2.10000000}'`);
    const [, outputs = ''] = /'(\[\{.*\}\])'$/.exec(COMMANDS.psbt(payments)) ?? [];
    expect(JSON.parse(outputs)).toEqual([{ [A]: 0.29000001 }, { [B]: 2.1 }]);
  });

  test('transaction ids are matched by id or address, in the forms that people paste', () => {
    const { matched, faults } = readTxids(`id,txid\r\n7,${TX}\n\n"${B}"\t${TX.toUpperCase()}\n`, payments);
    expect(faults).toEqual([]);
    expect(matched.map(({ payment: { id }, txid }) => [id, txid])).toEqual([
      [7, TX],
      [8, TX],
    ]);
  });

  test('every line that cannot be understood is named', () => {
    const { matched, faults } = readTxids(
      [`7 ${TX}`, `7 ${TX}`, `${A} ${TX}`, `99 ${TX}`, '8 abc', '8'].join('\n'),
      payments,
    );
    expect(matched).toHaveLength(1);
    expect(faults.map(({ line, why }) => [line, why])).toEqual([
      [2, 'twice'],
      [3, 'several'],
      [4, 'not_found'],
      [5, 'txid'],
      [6, 'form'],
    ]);
  });
});
