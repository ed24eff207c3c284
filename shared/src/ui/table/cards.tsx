import { useCallback, type Ref } from 'react';
import common from '../common.module.css';
import { Facts } from '../core/pieces/figure';
import { ownDirection } from '../core/pieces/own-direction';
import { scaled } from '../core/theme/rem';
import type { DataColumn } from './columns';
import type { ListProps } from './props';
import s from './data-table.module.css';
import { nameIdOf, SelectRow, useSelection } from './selection';
import { useVisibleRows } from './use-visible-rows';

/** Usual height of a card, px. */
const CARD = 92;
/** Gap between two cards, px. */
const GAP = 12;
/** The phone's app bar. */
const APP_BAR = 57;

/** The rows as cards, where there is no room for columns. */
export function Cards<Row extends object>({ paper, ...props }: ListProps<Row>) {
  const { ref, label, rows, columns, rowKey, cardHeight: usual = CARD, onOpen, activeKey } = props;
  const { card = (row) => cardOf(row, columns, onOpen !== undefined) } = props;
  const cardHeight = scaled(usual);
  const keyOf = useCallback((index: number) => rowKey(rows[index]!), [rows, rowKey]);
  const { list, items, height, measure, onFocus, onBlur } = useVisibleRows({
    ref,
    rows,
    keyOf,
    height: cardHeight,
    gap: GAP,
    varies: true,
    covered: APP_BAR,
    above: props.above,
    paper,
  });
  const selection = useSelection(props);
  return (
    <ul
      ref={list as Ref<HTMLUListElement>}
      className={s.cards}
      style={{ blockSize: height, '--card-height': `${cardHeight}px` } as React.CSSProperties}
      aria-label={label}
      onFocus={onFocus}
      onBlur={onBlur}
    >
      {items.map(({ index, key, space }) => {
        const row = rows[index]!;
        return (
          <li
            key={key}
            ref={measure}
            data-index={index}
            aria-posinset={index + 1}
            aria-setsize={rows.length}
            aria-current={(activeKey !== undefined && rowKey(row) === activeKey) || undefined}
            data-chosen={selection?.isChosen(row) || undefined}
            className={s.card}
            style={{ marginBlockStart: space }}
          >
            {selection && <SelectRow selection={selection} row={row} index={index} />}
            {onOpen ? (
              <div
                id={selection && nameIdOf(selection, index)}
                className={s.cardBody}
                role="button"
                tabIndex={0}
                onClick={() => onOpen(row)}
                onKeyDown={(event) => {
                  if (event.key === 'Enter') onOpen(row);
                }}
              >
                {card(row)}
              </div>
            ) : (
              <div id={selection && nameIdOf(selection, index)} className={s.cardBody}>
                {card(row)}
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const isFact = ({ key, names }: { key: string; names?: boolean }) => !names && key !== 'actions';

/**
 * A row as its name, what can be done with it, and the other columns by their titles.
 * Where the row opens, what a narrow table leaves out first is found there.
 */
function cardOf<Row>(row: Row, columns: readonly DataColumn<Row>[], opens: boolean) {
  const facts = columns.filter((column) => isFact(column) && !(opens && (column.drop ?? 0) > 1));
  return (
    <div className={common.entry}>
      <div className={common.entryHead}>
        {columns.map((column) => !isFact(column) && <span key={column.key}>{ownDirection(column.render(row))}</span>)}
      </div>
      <Facts rows={facts.map(({ title, render }) => ({ label: title, value: render(row) }))} />
    </div>
  );
}
