import { serverTime, type Worker } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { lazyPart, useAbility, useServices } from '@pool/shared/remote';
import {
  Button,
  csvTable,
  downloadCsv,
  QueryError,
  PageHeader,
  Panel,
  useNarrow,
  usePhone,
  CalendarDays,
  SlidersHorizontal,
} from '@pool/shared/ui/core';
import { FarmEvents } from '@pool/shared/ui/waiting';
import { DataTable, type Sort, type TableHandle } from '@pool/shared/ui/table';
import { oneOf, useUrlState } from '@pool/shared/router';
import { Timeline } from '@pool/shared/ui/timeline';
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { useLiveWorkers, wholeOf } from '../../api/live-workers';
import { Tabs } from '../frame/tabs';
import { useColumns } from './list/columns';
import { GroupFilter } from './controls/group-filter';
import { ExportButton, ListMenu, SearchField, StateTabs, Toggle } from './controls/list-controls';
import controls from './controls/controls.module.css';
import { nextSort, orderOf, type ListPlace, type StateTab } from './list/list-place';
import { NamedWorker } from './named-worker';
import { Summary } from './summary';
import styles from './workers-page.module.css';
import { useList } from './list/use-list';
import { Joins, Renamed } from './joins/later';
import { rowHeightOf, useView } from './list/view';
import { useCompared, useOpened } from './use-opened';
import { useSelected } from './controls/use-selected';
import { WorkerCard } from './list/worker-card';
import { csvName, csvOf } from './list/workers-csv';

export function WorkersPage() {
  const { t } = useTranslation();
  const mayEdit = useAbility().can('manage', 'workers');
  const live = useLiveWorkers();
  const { data, error } = live;
  /** The answer once it is whole; undefined while only the first part of a list is there. */
  const all = wholeOf(data);
  const narrow = useNarrow();
  const phone = usePhone();
  const list = useRef<TableHandle>(null);
  const area = useRef<HTMLDivElement>(null);
  const { place, typed, setTyped, matching, shown, hold, ready, counts, unit, change } = useList(data);
  const { openId, walk, close } = useOpened(shown, list, area);
  const { compared, compare, endComparison } = useCompared(data?.workers);
  const isComparing = openId === null && compared.length > 0;
  const { exportRows, exportShown } = useExport(shown);
  const { choose, onSort, chooseGroup, showWorst, chooseTab } = useChoices(change, list);
  const { sort: key, direction } = place;
  const sort = useMemo(() => ({ key, order: ORDERS[direction] }), [key, direction]);
  const open = openId === null ? undefined : data?.workers.find((worker) => worker.id === openId);
  const strangers = useMemo(() => (all?.workers ?? []).filter(({ strange }) => strange), [all]);
  const any = data === undefined || data.workers.length > 0;
  const { view, change: changeView } = useView();
  const [viewing, setViewing] = useState(false);
  const [{ map, happened }, setAbove] = useUrlState(ABOVE);
  const toggleMap = useCallback(() => setAbove({ map: map ? undefined : 'on' }), [map, setAbove]);
  const toggleHappened = useCallback(() => setAbove({ happened: happened ? undefined : 'on' }), [happened, setAbove]);
  const inMap = useMemo(() => {
    if (!map || matching.length === all?.workers.length) return all?.workers ?? NONE;
    const found = new Set(matching);
    return (all?.workers ?? NONE).filter((worker) => found.has(worker));
  }, [map, matching, all]);
  const [joining, setJoining] = useState(false);
  const toggleJoining = useCallback(() => setJoining((open) => !open), []);
  const toggleView = useCallback(() => setViewing((open) => !open), []);
  const satsPerHs = data?.satsPerHs;
  const columns = useColumns(data?.workers ?? NONE, unit, view, satsPerHs);
  const cardOf = useCallback((worker: Worker) => <WorkerCard worker={worker} satsPerHs={satsPerHs} />, [satsPerHs]);
  const { selection, selected, clear } = useSelected(data?.workers);

  const isBeside = openId !== null || isComparing;
  const covered = phone && isBeside;
  useNoScroll(covered);
  const find = (
    <>
      <SearchField value={typed} onChange={setTyped} />
      <GroupFilter workers={data?.workers} value={place.group} large={narrow} onChange={chooseGroup} />
    </>
  );
  return (
    <div ref={area} className={isBeside ? styles.beside : undefined}>
      {all && <NamedWorker workers={all.workers} />}
      <div inert={covered}>
        <PageHeader
          title={t('workers.nav')}
          sub={
            data || !error ? (
              <Summary data={data} workers={matching} counts={counts} onWorst={isBeside ? undefined : showWorst} />
            ) : undefined
          }
          actions={
            any &&
            !narrow && (
              <>
                {find}
                <Button className={styles.map} aria-pressed={map === 'on'} onClick={toggleMap}>
                  {t('workers.map.show')}
                </Button>
                <Toggle label="workers.happened" icon={CalendarDays} open={happened === 'on'} onOpen={toggleHappened} />
                <Toggle label="workers.view" icon={SlidersHorizontal} open={viewing} onOpen={toggleView} />
                <ExportButton onExport={exportShown} disabled={!all || shown.length === 0} />
              </>
            )
          }
        />
        <Tabs shown="list" />
        {any && narrow && (
          <div className={controls.phone}>
            {find}
            <ListMenu
              place={place}
              onSort={(wanted) => choose(nextSort(place, wanted))}
              onExport={all && exportShown}
              onMap={toggleMap}
              onHappened={toggleHappened}
            />
          </div>
        )}
        {all && <FarmEvents chosen={place.event} />}
        {all && map && (
          <Panel className={styles.above}>
            <FarmMap workers={inMap} onGroup={chooseGroup} />
          </Panel>
        )}
        {any && happened && (
          <div className={styles.above}>
            <Timeline kinds={HAPPENED} />
          </div>
        )}
        {joining && (
          <div className={styles.above}>
            <Joins />
          </div>
        )}
        {strangers.length > 0 && <Strangers workers={strangers} />}
        {any && (
          <div className={controls.tabs}>
            <StateTabs counts={ready ? counts : undefined} value={place.tab} large={narrow} onChange={chooseTab} />
            {all && mayEdit && <Renamed open={joining} onOpen={toggleJoining} />}
          </div>
        )}
        <div className={styles.mark}>
          <QueryError query={live} className={styles.error} />
        </div>
        {data && !any && <NoWorkers />}
        {(data || !error) && any && (
          <div
            onPointerEnter={({ pointerType }) => pointerType !== 'touch' && hold(true)}
            onPointerLeave={() => hold(false)}
          >
            <DataTable
              ref={list}
              label={t('workers.list')}
              columns={columns}
              rowHeight={rowHeightOf(view)}
              cardHeight={120}
              above={290}
              rows={shown}
              rowKey={idOf}
              card={cardOf}
              activeKey={openId ?? undefined}
              selection={selection}
              sort={sort}
              onSort={onSort}
              loading={!ready}
              empty={
                shown.length === 0 && (
                  <NoMatch
                    tab={place.tab}
                    group={place.group}
                    search={typed}
                    onReset={() => {
                      setTyped('');
                      change({ tab: 'all', group: null, event: null, search: '' });
                    }}
                    onInactive={() => change({ tab: 'inactive' })}
                  />
                )
              }
            />
          </div>
        )}
      </div>
      {viewing && <ViewDrawer view={view} onChange={changeView} onClose={toggleView} />}
      {selected.length > 0 && (
        <BulkBar workers={selected} satsPerHs={satsPerHs} onExport={exportRows} onCompare={compare} onClear={clear} />
      )}
      {openId !== null && (open ?? all) && <Inspector worker={open ?? null} onWalk={walk} onClose={close} />}
      {isComparing && <Comparison workers={compared} onClose={endComparison} />}
    </div>
  );
}

const BulkBar = lazyPart('workers-more', async () => (await import('./controls/bulk-bar')).BulkBar, null);
const NoMatch = lazyPart('workers-more', async () => (await import('./no-workers')).NoMatch, null);
const NoWorkers = lazyPart('workers-more', async () => (await import('./no-workers')).NoWorkers, null);
const Strangers = lazyPart('workers-more', async () => (await import('./strangers')).Strangers, null);
const Inspector = lazyPart(
  'workers-inspector',
  async () => (await import(/* webpackChunkName: "inspector" */ './inspector/inspector')).Inspector,
  null,
);
const Comparison = lazyPart(
  'workers-inspector',
  async () => (await import(/* webpackChunkName: "inspector" */ './inspector/comparison')).Comparison,
  null,
);
const ViewDrawer = lazyPart('workers-view', async () => (await import('./controls/view-drawer')).ViewDrawer, null);

const FarmMap = lazyPart(
  'workers-map',
  async () => (await import(/* webpackChunkName: "map" */ './map/farm-map')).FarmMap,
  null,
);

const NONE: readonly Worker[] = [];
/** What is shown above the list. */
const ABOVE = { map: oneOf(['on']), happened: oneOf(['on']) };
/** What concerns workers. */
const HAPPENED = ['outage', 'off', 'dip', 'switch'] as const;
const ORDERS = { asc: 'ascend', desc: 'descend' } as const;
const idOf = ({ id }: Worker) => id;

/** Saves rows as a CSV file. What is drawn stays the same from letter to letter: 10,000 are filtered within two frames. */
function useExport(shown: readonly Worker[]) {
  const { account, algorithm } = useServices().session;
  const latest = useRef(shown);
  useEffect(() => {
    latest.current = shown;
  });
  return useMemo(() => {
    const exportRows = (workers: readonly Worker[]) =>
      downloadCsv(csvName(account, algorithm, new Date(serverTime())), ...csvTable(csvOf(account), workers));
    return { exportRows, exportShown: () => exportRows(latest.current) };
  }, [account, algorithm]);
}

/** What is chosen is shown from its first row. */
function useChoices(change: (part: Partial<ListPlace>) => void, list: RefObject<TableHandle | null>) {
  return useMemo(() => {
    const choose = (part: Partial<ListPlace>) => {
      change(part);
      list.current?.scrollTo(0);
    };
    return {
      choose,
      onSort: (wanted: Sort | undefined) => choose(orderOf(wanted)),
      chooseGroup: (group: string | null) => choose({ group }),
      chooseTab: (tab: StateTab) => choose({ tab }),
      showWorst: () => choose({ tab: 'all', sort: 'lost', direction: 'desc' }),
    };
  }, [change, list]);
}

/** Prevents scrolling of the page under an inspector that covers the screen. */
function useNoScroll(active: boolean) {
  useEffect(() => {
    if (!active) return;
    const { style } = document.documentElement;
    style.overflow = 'hidden';
    return () => {
      style.overflow = '';
    };
  }, [active]);
}
