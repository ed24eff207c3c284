import { DataTable, type DataColumn, type Sort } from '.';
import { renderPage, rowsOf, textsIn } from '../../testing';
import { Viewport } from '../core/viewport';
import { columnsFitting } from './columns';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

type Row = { id: number; name: string; hs: number };
const ROWS: Row[] = [
  { id: 1, name: 'b', hs: 5 },
  { id: 2, name: 'a', hs: 10 },
  { id: 3, name: 'c', hs: 7 },
];
const COLUMNS: DataColumn<Row>[] = [
  {
    key: 'name',
    title: 'Worker',
    width: 200,
    render: (row) => row.name,
    names: true,
    sortable: true,
  },
  {
    key: 'hs',
    title: 'Hashrate',
    width: 100,
    render: (row) => row.hs,
    sortable: true,
    first: 'descend',
    numeric: true,
  },
];

function Page({
  rows = ROWS,
  loading,
  onOpen,
  onSelect,
}: {
  rows?: Row[];
  loading?: boolean;
  onOpen?: (row: Row) => void;
  onSelect?: (keys: React.Key[]) => void;
}) {
  const [sort, setSort] = useState<Sort>();
  const [keys, setKeys] = useState<React.Key[]>([]);
  const [refreshed, setRefreshed] = useState(rows);
  return (
    <>
      <button onClick={() => setRefreshed((now) => [...now])}>Refresh</button>
      <DataTable
        label="Workers"
        columns={COLUMNS}
        rows={
          sort?.key === 'hs'
            ? [...refreshed].sort((a, b) => (sort.order === 'ascend' ? a.hs - b.hs : b.hs - a.hs))
            : refreshed
        }
        rowKey={(row) => row.id}
        groupOf={(row) => String(row.hs > 6)}
        loading={loading}
        card={(row) => <b>{row.name}</b>}
        empty="Nothing yet"
        sort={sort}
        onSort={setSort}
        onOpen={onOpen}
        selection={
          onSelect && {
            keys,
            onChange: (now) => {
              setKeys(now);
              onSelect(now);
            },
          }
        }
      />
    </>
  );
}
const drawn = () => rowsOf(screen.getByRole('table', { name: 'Workers' }));
const names = () => textsIn(drawn());

test('a heading asks for its first direction, then the other, then none, and says which it is', async () => {
  const { user } = await renderPage(<Page />);
  const header = screen.getByRole('columnheader', { name: /Hashrate/ });
  const button = within(header).getByRole('button');
  expect(names()).toEqual(['b5', 'a10', 'c7']);
  await user.click(button);
  expect(names()).toEqual(['a10', 'c7', 'b5']);
  expect(header).toHaveAttribute('aria-sort', 'descending');
  await user.click(button);
  expect(names()).toEqual(['b5', 'c7', 'a10']);
  await user.click(button);
  expect(names()).toEqual(['b5', 'a10', 'c7']);
});

test('a row has a button that opens it; arrows walk these', async () => {
  const open = jest.fn();
  const { user } = await renderPage(<Page onOpen={open} />);
  const [first, second] = drawn().map(opener);
  first?.focus();
  await user.keyboard('{ArrowDown}');
  expect(second).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(open).toHaveBeenCalledWith(ROWS[1]);
});

test('choosing a row does not open it', async () => {
  const open = jest.fn();
  const select = jest.fn();
  const { user } = await renderPage(<Page onOpen={open} onSelect={select} />);
  const boxes = screen.getAllByRole('checkbox');
  await user.click(boxes[1] as HTMLElement);
  expect(select).toHaveBeenCalledWith([1]);
  expect(open).not.toHaveBeenCalled();
  expect(boxes[0]).toBePartiallyChecked();
  await user.click(boxes[0] as HTMLElement);
  expect(select).toHaveBeenLastCalledWith([1, 2, 3]);
});

test('a click with Shift chooses all rows between this one and the one before', async () => {
  const select = jest.fn();
  const { user } = await renderPage(<Page rows={many.slice(0, 20)} onSelect={select} />);
  const boxes = screen.getAllByRole('checkbox');
  await user.click(boxes[9] as HTMLElement);
  await user.keyboard('{Shift>}');
  await user.click(boxes[5] as HTMLElement);
  await user.keyboard('{/Shift}');
  expect(new Set(select.mock.lastCall?.[0])).toEqual(new Set([4, 5, 6, 7, 8]));
});

const many = Array.from({ length: 10_000 }, (_, id) => ({ id, name: `w${id}`, hs: id }));
const opener = (row: HTMLElement) => within(row).getByRole('button');

test('10,000 rows are counted; those near the screen are in the document, and the one with the focus stays', async () => {
  await renderPage(<Page rows={many} onOpen={() => undefined} />);
  expect(screen.getByRole('table')).toHaveAttribute('aria-rowcount', '10001');
  expect(drawn().length).toBeLessThan(50);
  opener(drawn()[3]!).focus();
  act(() => {
    Object.assign(window, { scrollY: 250_000 });
    fireEvent.scroll(window);
  });
  expect(screen.getByText('w5005')).toBeInTheDocument();
  expect(screen.queryByText('w4')).toBeNull();
  expect(drawn()[0]).toHaveTextContent('w3');
  expect(opener(drawn()[0]!)).toHaveFocus();
  Object.assign(window, { scrollY: 0 });
});

const draw = jest.fn((row: Row) => row.name);
const NAMES: DataColumn<Row>[] = [{ key: 'name', title: 'Worker', width: 200, render: draw }];
const idOf = (row: Row) => row.id;
const cardOf = (row: Row) => <b>{row.name}</b>;
function Typing() {
  const [text, setText] = useState('');
  return (
    <>
      <input value={text} onChange={(event) => setText(event.target.value)} />
      <DataTable label="Workers" columns={NAMES} rows={many} rowKey={idOf} card={cardOf} empty="Nothing yet" />
    </>
  );
}

test('unrelated state does not re-render rows', async () => {
  const { user } = await renderPage(<Typing />);
  expect(draw).toHaveBeenCalled();
  draw.mockClear();
  await user.type(screen.getByRole('textbox'), 'rig');
  expect(screen.getByRole('textbox')).toHaveValue('rig');
  expect(draw).not.toHaveBeenCalled();
});

/** 10,000 rows; a live update puts the first ones last. */
function Moving() {
  const [rows, setRows] = useState(many);
  return (
    <>
      <button onClick={() => setRows([...many.slice(5), ...many.slice(0, 5)])}>update</button>
      <DataTable
        label="Workers"
        columns={COLUMNS}
        rows={rows}
        rowKey={(row) => row.id}
        card={(row) => <b>{row.name}</b>}
        empty="Nothing yet"
        onOpen={() => undefined}
      />
    </>
  );
}

test('a live update that moves the focused row far away does not take its focus', async () => {
  await renderPage(<Moving />);
  opener(drawn()[3]!).focus();
  // Not a click by a person, which would focus the button.
  fireEvent.click(screen.getByRole('button', { name: 'update' }));
  expect(drawn()[0]).toHaveTextContent('w5');
  expect(document.activeElement).toHaveTextContent('w3');
  expect(document.activeElement?.closest('tr')).toHaveAttribute('aria-rowindex', '10000');
});

test('paper narrow as a phone has every row and column, and nothing to select by', async () => {
  media('print', '639');
  await renderPage(<Page rows={many.slice(0, 300)} onSelect={() => undefined} />);
  expect(drawn()).toHaveLength(300);
  expect(textsIn(screen.getAllByRole('columnheader'))).toEqual(['Worker', 'Hashrate']);
  expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
});

const media = (...words: string[]) =>
  jest.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      ({
        matches: words.some((word) => query.includes(word)),
        media: query,
        addEventListener() {},
        removeEventListener() {},
      }) as never,
  );

test('on a phone rows are cards, of which those near the screen are in the document', async () => {
  media('639');
  await renderPage(<Page rows={many} />);
  const cards = screen.getAllByRole('listitem');
  expect(cards.length).toBeLessThan(50);
  expect(cards[1]).toHaveAttribute('aria-posinset', '2');
  expect(cards[1]).toHaveAttribute('aria-setsize', '10000');
});

it.each([
  [160, 13],
  [640, 3],
  [900, 1],
])('a first view below %d px has %d rows: no more than the window shows', (above, count) => {
  const html = renderToStaticMarkup(
    <Viewport value={{ width: 1366, height: 768, content: 1066, plot: 730 }}>
      <DataTable
        label="Workers"
        columns={COLUMNS}
        rows={Array.from({ length: 300 }, (_, id) => ({ id, name: `rig-${id}`, hs: id }))}
        rowKey={(row) => row.id}
        card={(row) => row.name}
        above={above}
      />
    </Viewport>,
  );
  expect(html.match(/rig-\d+/g)).toHaveLength(count);
});

const column = (key: string, width: number, drop?: number): DataColumn<object> => ({
  key,
  title: key,
  width,
  drop,
  render: () => null,
});
const FITTED = [column('name', 200), column('fee', 100, 2), column('paid', 100, 2), column('seen', 100, 1)];
const keys = (room: number) => columnsFitting(FITTED, room)?.map(({ key }) => key);

test('columns go as the room does, those of one number together', () => {
  expect(keys(500)).toEqual(['name', 'fee', 'paid', 'seen']);
  expect(keys(499)).toEqual(['name', 'seen']);
  expect(keys(299)).toEqual(['name']);
});

test('no room for what must stay', () => expect(keys(199)).toBeUndefined());
