import { serverTime, type Worker } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { lazyPart, useAbility, useServices } from '@pool/shared/remote';
import {
  Button,
  csvTable,
  downloadCsv,
  QueryError,
  PageHeader,
  useNarrow,
  usePhone,
  CalendarDays,
  SlidersHorizontal,
} from '@pool/shared/ui/core';
import type { Sort, TableHandle } from '@pool/shared/ui/table';
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { useLiveWorkers, wholeOf } from '../../api/live-workers';
import { Tabs } from '../frame/tabs';
import { Above, useAbove } from './above';
import { GroupFilter } from './controls/group-filter';
import { ExportButton, ListMenu, SearchField, StateTabs, Toggle } from './controls/list-controls';
import controls from './controls/controls.module.css';
import { nextSort, orderOf, type ListPlace, type StateTab } from './list/list-place';
import { NamedWorker } from './named-worker';
import { Summary } from './summary';
import styles from './workers-page.module.css';
import { useList } from './list/use-list';
import { Renamed } from './joins/later';
import { useView } from './list/view';
import { useCompared, useOpened } from './use-opened';
import { useSelected } from './controls/use-selected';
import { WorkerTable } from './list/worker-table';
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
  const handle = useRef<TableHandle>(null);
  const area = useRef<HTMLDivElement>(null);
  const list = useList(data);
  const { place, typed, setTyped, matching, shown, ready, counts, change } = list;
  const { openId, walk, close } = useOpened(shown, handle, area);
  const { compared, compare, endComparison } = useCompared(data?.workers);
  const isComparing = openId === null && compared.length > 0;
  const { exportRows, exportShown } = useExport(shown);
  const { choose, onSort, chooseGroup, showWorst, chooseTab } = useChoices(change, handle);
  const open = openId === null ? undefined : data?.workers.find((worker) => worker.id === openId);
  const any = data === undefined || data.workers.length > 0;
  const { view, change: changeView } = useView();
  const [viewing, setViewing] = useState(false);
  const above = useAbove();
  const toggleView = useCallback(() => setViewing((open) => !open), []);
  const satsPerHs = data?.satsPerHs;
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
                <Button className={styles.map} aria-pressed={above.map} onClick={above.toggleMap}>
                  {t('workers.map.show')}
                </Button>
                <Toggle
                  label="workers.happened"
                  icon={CalendarDays}
                  open={above.happened}
                  onOpen={above.toggleHappened}
                />
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
              onMap={above.toggleMap}
              onHappened={above.toggleHappened}
            />
          </div>
        )}
        {any && (
          <Above open={above} workers={all?.workers} matching={matching} event={place.event} onGroup={chooseGroup} />
        )}
        {any && (
          <div className={controls.tabs}>
            <StateTabs counts={ready ? counts : undefined} value={place.tab} large={narrow} onChange={chooseTab} />
            {all && mayEdit && <Renamed open={above.joining} onOpen={above.toggleJoining} />}
          </div>
        )}
        <div className={styles.mark}>
          <QueryError query={live} className={styles.error} />
        </div>
        {data && !any && <NoWorkers />}
        {(data || !error) && any && <WorkerTable {...{ handle, list, data, view, openId, selection, onSort }} />}
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

const BulkBar = lazyPart(['workers-more', 'events'], async () => (await import('./controls/bulk-bar')).BulkBar, null);
const NoWorkers = lazyPart('workers-more', async () => (await import('./no-workers')).NoWorkers, null);
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
