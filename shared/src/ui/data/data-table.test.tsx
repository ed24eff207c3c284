import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { renderPage } from '../../testing';
import { DataTable, type DataColumn, type Sort } from '.';

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
    compare: (a, b) => a.name.localeCompare(b.name),
  },
  {
    key: 'hs',
    title: 'Hashrate',
    width: 100,
    render: (row) => row.hs,
    compare: (a, b) => a.hs - b.hs,
    first: 'descend',
    numeric: true,
  },
];

function Page({
  rows = ROWS,
  onOpen,
  onSelect,
}: {
  rows?: Row[];
  onOpen?: (row: Row) => void;
  onSelect?: (keys: React.Key[]) => void;
}) {
  const [sort, setSort] = useState<Sort>();
  const [keys, setKeys] = useState<React.Key[]>([]);
  return (
    <DataTable
      label="Workers"
      columns={COLUMNS}
      rows={rows}
      rowKey={(row) => row.id}
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
          canSelect: (row) => row.name !== 'c',
        }
      }
    />
  );
}
const names = () =>
  within(screen.getByRole('region', { name: 'Workers' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);

test('clicks sort by a column in its first direction, then the other, then not', async () => {
  const { user } = await renderPage(<Page />);
  const header = screen.getByRole('columnheader', { name: /Hashrate/ });
  expect(names()).toEqual(['b5', 'a10', 'c7']);
  await user.click(header);
  expect(names()).toEqual(['a10', 'c7', 'b5']);
  expect(header).toHaveAttribute('aria-sort', 'descending');
  await user.click(header);
  expect(names()).toEqual(['b5', 'c7', 'a10']);
  await user.click(header);
  expect(names()).toEqual(['b5', 'a10', 'c7']);
});

test('arrow keys move between rows, Enter opens one', async () => {
  const open = jest.fn();
  const { user } = await renderPage(<Page onOpen={open} />);
  const [, first, second] = screen.getAllByRole('row');
  first?.focus();
  await user.keyboard('{ArrowDown}');
  expect(second).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(open).toHaveBeenCalledWith(ROWS[1]);
});

test('choosing a row does not open it, and some cannot be chosen', async () => {
  const open = jest.fn();
  const select = jest.fn();
  const { user } = await renderPage(<Page onOpen={open} onSelect={select} />);
  const boxes = screen.getAllByRole('checkbox');
  await user.click(boxes[1] as HTMLElement);
  expect(select).toHaveBeenCalledWith([1]);
  expect(open).not.toHaveBeenCalled();
  expect(boxes[3]).toBeDisabled();
});

test('of 10,000 rows only the visible ones are in the document', async () => {
  const many = Array.from({ length: 10_000 }, (_, id) => ({ id, name: `w${id}`, hs: id }));
  const { container } = await renderPage(<Page rows={many} />);
  expect(container.querySelectorAll('.ant-table-row').length).toBeLessThan(200);
  expect(screen.getByText('w0')).toBeInTheDocument();
});

test("without rows shows the page's empty state", async () => {
  await renderPage(<Page rows={[]} />);
  expect(screen.getByText('Nothing yet')).toBeVisible();
});

describe('on a phone', () => {
  beforeEach(() =>
    jest.spyOn(window, 'matchMedia').mockImplementation(
      (media) =>
        ({
          matches: media.includes('639'),
          media,
          addEventListener() {},
          removeEventListener() {},
        }) as unknown as MediaQueryList,
    ),
  );
  afterEach(() => jest.restoreAllMocks());

  test('rows are cards, and more are rendered on demand', async () => {
    const many = Array.from({ length: 1000 }, (_, id) => ({ id, name: `w${id}`, hs: id }));
    const { user } = await renderPage(<Page rows={many} />);
    expect(screen.getAllByRole('listitem')).toHaveLength(30);
    await user.click(screen.getByRole('button', { name: 'Show 970 more' }));
    expect(screen.getAllByRole('listitem')).toHaveLength(60);
  });
});
