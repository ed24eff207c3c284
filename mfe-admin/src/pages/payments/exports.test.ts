import { payment } from '../../testing/payment';
import { COMMANDS, readTxids } from './exports';

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
