import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import Checkbox from 'antd/es/checkbox';
import Button from 'antd/es/button';
import type { DataTableProps } from './data-table';
import s from './data-table.module.css';

const PAGE = 30;

/**
 * The rows as cards on a phone. Renders more when the user scrolls near the end, so that 10,000 rows cost as much as
 * 30.
 */
export function Cards<Row extends object>({
  label,
  rows,
  rowKey,
  card,
  selection,
  onOpen,
  activeKey,
}: DataTableProps<Row>) {
  const { t } = useTranslation();
  const [count, setCount] = useState(PAGE);
  const end = useRef<HTMLDivElement>(null);
  const more = rows.length > count;
  useEffect(() => {
    const element = end.current;
    if (!element || !more || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setCount((now) => now + PAGE), {
      rootMargin: '600px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [more, count]);
  const toggle = (key: React.Key, on: boolean) =>
    selection?.onChange(on ? [...selection.keys, key] : selection.keys.filter((k) => k !== key));
  return (
    <>
      <ul className={s.cards} aria-label={label}>
        {rows.slice(0, count).map((row) => {
          const key = rowKey(row);
          const chosen = selection?.keys.includes(key) ?? false;
          return (
            <li
              key={key}
              className={`${s.card} ${chosen ? s.chosen : ''}`}
              aria-current={key === activeKey ? 'true' : undefined}
            >
              {selection && (
                <Checkbox
                  className={s.check}
                  checked={chosen}
                  disabled={selection.canSelect ? !selection.canSelect(row) : false}
                  aria-label={t('ui.table.select')}
                  onChange={(event) => toggle(key, event.target.checked)}
                />
              )}
              {onOpen ? (
                <div
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
                <div className={s.cardBody}>{card(row)}</div>
              )}
            </li>
          );
        })}
      </ul>
      {more && (
        <div ref={end} className={s.more}>
          <Button onClick={() => setCount(count + PAGE)}>{t('ui.table.more', { count: rows.length - count })}</Button>
        </div>
      )}
    </>
  );
}
