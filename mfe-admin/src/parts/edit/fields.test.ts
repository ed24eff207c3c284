import { differencesOf, filledDown, numberOf, withCell, withPasted, type Drafts, type EditField } from './fields';

type Row = { id: number; role: string; fee: string };
const rows: Row[] = [1, 2, 3].map((id) => ({ id, role: 'miner', fee: '1.5' }));
const fields: EditField<Row>[] = [
  {
    key: 'role',
    title: 'Role',
    text: ({ role }) => role,
    choices: [
      { value: 'miner', label: 'Майнер' },
      { value: 'admin', label: 'Админ' },
    ],
    isValid: (text) => text === 'miner' || text === 'admin',
    rule: '',
  },
  { key: 'fee', title: 'Fee', text: ({ fee }) => fee, isValid: (text) => numberOf(text) !== null, rule: '' },
];
const none: Drafts = new Map();
const shown = (drafts: Drafts) =>
  differencesOf(drafts, rows, fields).map(({ row, field, before, after, valid }) => [
    row.id,
    field.key,
    before,
    after,
    valid,
  ]);

test('a block of a spreadsheet is pasted from a cell on, by value or label; what sticks out is left', () => {
  const pasted = withPasted(none, rows, fields, {
    rowAt: 1,
    fieldAt: 0,
    text: 'Админ\t2\t9\r\nadmin\tx\r\nminer\t1\r\n',
  });
  expect(shown(pasted)).toEqual([
    [2, 'role', 'miner', 'admin', true],
    [2, 'fee', '1.5', '2', true],
    [3, 'role', 'miner', 'admin', true],
    [3, 'fee', '1.5', 'x', false],
  ]);
});

test('fill down copies a cell, changed or not; the text that was read is no change', () => {
  const drafts = withCell(none, rows[0]!, fields[1]!, '3');
  const filled = filledDown(drafts, rows, fields[1]!, 0);
  expect(shown(filled).map(([id, , , after]) => [id, after])).toEqual([
    [1, '3'],
    [2, '3'],
    [3, '3'],
  ]);
  const back = withCell(filled, rows[0]!, fields[1]!, '1.5');
  expect(shown(filledDown(back, rows, fields[1]!, 0))).toEqual([]);
});

test('after a row is read again the difference is to what it is now', () => {
  const drafts = withCell(none, rows[0]!, fields[1]!, '3');
  expect(differencesOf(drafts, [{ ...rows[0]!, fee: '2' }], fields)).toMatchObject([{ before: '2', after: '3' }]);
  expect(differencesOf(drafts, [{ ...rows[0]!, fee: '3' }], fields)).toEqual([]);
});

test('numbers as people write them', () => {
  expect(['1.5', '1,5', '١٫٥', '', '1e3', '-1', '0x10'].map(numberOf)).toEqual([1.5, 1.5, 1.5, null, null, null, null]);
});
