import type { WorkerCounts } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useIsOfAll } from '@pool/shared/remote';
import {
  Button,
  type CalendarDays,
  Download,
  Dropdown,
  Search,
  Segmented,
  SlidersHorizontal,
  StateGlyph,
  Tooltip,
  useFormat,
  X,
} from '@pool/shared/ui/core';
import { memo } from 'react';
import styles from './controls.module.css';
import { STATE_TABS, type ListPlace, type SortKey, type StateTab } from '../list/list-place';

/** A plain input: antd's would load its form code before the first rows show. */
export function SearchField({ value, onChange }: { value: string; onChange(search: string): void }) {
  const { t } = useTranslation();
  return (
    <div className={styles.search}>
      <Search />
      <input
        type="search"
        value={value}
        maxLength={64}
        placeholder={t('workers.search')}
        aria-label={t('workers.search')}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
      {value && (
        <button type="button" aria-label={t('workers.clearSearch')} onClick={() => onChange('')}>
          <X />
        </button>
      )}
    </div>
  );
}

type Props = { counts: WorkerCounts | undefined; value: StateTab; large: boolean; onChange(tab: StateTab): void };

/** Tabs by state, with the number of workers. They cost as much as the rows: not drawn again with each letter typed. */
export const StateTabs = memo(function StateTabs({ counts, value, large, onChange }: Props) {
  const { t } = useTranslation();
  const { count } = useFormat();
  const number = (tab: StateTab) =>
    tab === 'all' ? counts && counts.online + counts.low + counts.offline : counts?.[tab];
  return (
    <Segmented<StateTab>
      size={large ? 'large' : 'middle'}
      aria-label={t('workers.filter')}
      value={value}
      onChange={onChange}
      options={STATE_TABS.map((tab) => ({
        value: tab,
        label: (
          <span className={styles.tab}>
            {tab !== 'all' && <StateGlyph state={tab} />}
            {t(tab === 'all' ? 'workers.state.all' : `ui.state.${tab}`)}
            <bdi className={styles.count}>{number(tab) === undefined ? '' : count(number(tab) ?? 0)}</bdi>
          </span>
        ),
      }))}
    />
  );
});

type ExportButtonProps = { onExport(): void; disabled: boolean };

export const ExportButton = memo(function ExportButton({ onExport, disabled }: ExportButtonProps) {
  const { t } = useTranslation();
  return (
    <Tooltip title={t('workers.exportCsv')}>
      <Button icon={<Download />} aria-label={t('workers.exportCsv')} onClick={onExport} disabled={disabled} />
    </Tooltip>
  );
});

type ToggleProps = { label: string; icon: typeof CalendarDays; open: boolean; onOpen(): void };

/** Opens and closes what stands beside or above the list. `label`: key of its text. */
export const Toggle = memo(function Toggle({ label, icon: Icon, open, onOpen }: ToggleProps) {
  const { t } = useTranslation();
  return (
    <Tooltip title={t(label)}>
      <Button icon={<Icon />} aria-label={t(label)} aria-expanded={open} onClick={onOpen} />
    </Tooltip>
  );
});

const SORTS: readonly SortKey[] = ['trouble', 'lost', 'name', 'h1', 'h24', 'rejectRate', 'staleRate', 'lastShareAt'];
/** Texts of sorts that are not named as their column's key. */
const LABELS: Partial<Record<SortKey, string>> = { trouble: 'workers.sort.trouble', lastShareAt: 'workers.lastShare' };

type ListMenuProps = {
  place: ListPlace;
  onSort(sort: SortKey): void;
  onExport: (() => void) | undefined;
  onMap(): void;
  onHappened(): void;
};

/** Menu on a phone, where cards have no headings: sort order, map, what happened and export. */
export function ListMenu({ place, onSort, onExport, onMap, onHappened }: ListMenuProps) {
  const { t } = useTranslation();
  const sorts = useIsOfAll() ? (['account', ...SORTS] as const) : SORTS;
  return (
    <Dropdown
      menu={{
        selectedKeys: [place.sort],
        items: [
          {
            type: 'group',
            label: t('workers.sortBy'),
            children: sorts.map((sort) => ({
              key: sort,
              label: t(LABELS[sort] ?? `workers.${sort}`),
              onClick: () => onSort(sort),
            })),
          },
          { type: 'divider' },
          { key: 'map', label: t('workers.map.show'), onClick: onMap },
          { key: 'happened', label: t('workers.happened'), onClick: onHappened },
          { key: 'export', icon: <Download />, label: t('workers.exportCsv'), disabled: !onExport, onClick: onExport },
        ],
      }}
    >
      <Button className={styles.menu} icon={<SlidersHorizontal />} aria-label={t('workers.sortBy')} />
    </Dropdown>
  );
}
