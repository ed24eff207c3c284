import { useTranslation } from '@pool/shared/i18n';
import { usdOf, type WorkerGroup } from '@pool/shared';
import { lazyPart, useAbility, useBtcPrice, useServices, useWorkerGroups } from '@pool/shared/remote';
import { Button, Empty, QueryError, Panel } from '@pool/shared/ui/core';
import { Plus } from '@pool/shared/ui/icons';
import { oneOf, useUrlState } from '@pool/shared/router';
import { DataTable, type DataColumn, type Sort } from '@pool/shared/ui/table';
import { useMemo, useState } from 'react';
import { useLiveWorkers, wholeOf } from '../../api/live-workers';
import { PageFrame } from '../frame/tabs';
import { COMPARABLE } from '../workers/use-opened';
import { GroupDialog } from './group-dialog';
import { GROUP_SORTS, groupTotals, isLoss, sortGroups, type GroupTotals } from './group-totals';
import styles from './groups-page.module.css';
import { useComparable } from './use-comparable';
import { useGroupColumns } from './use-group-columns';

type CardProps = { group: GroupTotals; columns: readonly DataColumn<GroupTotals>[] };

/** Name, actions, and the figures that say something. */
function GroupCard({ group, columns }: CardProps) {
  const cellOf = (wanted: string) => columns.find(({ key }) => key === wanted)?.render(group);
  const said = columns.filter(({ key }) => key === 'online' || ON_CARD.some((name) => name === key && group[name]));
  return (
    <div className={styles.card}>
      <div className={styles.cardHead}>
        {cellOf('name')}
        {cellOf('menu')}
      </div>
      <div className={styles.cardFacts}>
        {said.map(({ key, title, render }) => (
          <span key={key}>
            <span className={styles.quiet}>{title}</span> {render(group)}
          </span>
        ))}
      </div>
    </div>
  );
}
const ON_CARD = [
  'low',
  'disconnected',
  'offline',
  'inactive',
  'h1',
  'share',
  'muted',
  'lost',
  'cost',
  'margin',
] as const;

// Its chart, and the chart's texts, are the inspector's.
const GroupComparison = lazyPart(
  'workers-inspector',
  async () => (await import(/* webpackChunkName: "inspector" */ './group-comparison')).GroupComparison,
  null,
);

/** Groups of the account's workers, with their totals on the picked algorithm. */
export function GroupsPage() {
  const { t } = useTranslation();
  const { session } = useServices();
  const mayEdit = useAbility().can('manage', 'workers');
  const groups = useWorkerGroups();
  const live = useLiveWorkers();
  const list = wholeOf(live.data);
  /** The group that is being changed; `new`: one that is being made. */
  const [dialog, setDialog] = useState<WorkerGroup | 'new'>();
  const price = useBtcPrice().data?.price;
  const satsPerHs = live.data?.satsPerHs;
  const usdPerHs = price === undefined || satsPerHs === undefined ? undefined : usdOf(satsPerHs, price);
  const rows = useMemo(
    () => groups.data && list && groupTotals(list.workers, groups.data, usdPerHs),
    [groups.data, list, usdPerHs],
  );
  const [{ sort, dir }, setPlace] = useUrlState(PLACE);
  const order = useMemo(
    (): Sort | undefined => sort && { key: sort, order: dir === 'desc' ? 'descend' : 'ascend' },
    [sort, dir],
  );
  const sorted = useMemo(() => rows && sortGroups(rows, order), [rows, order]);
  const { all, compared, compare, endComparison } = useComparable();
  const hasDisconnected = rows?.some(({ disconnected }) => disconnected !== undefined) ?? false;
  const hasPower = rows?.some(({ group }) => group?.power) ?? false;
  const columns = useGroupColumns(mayEdit, satsPerHs, { hasDisconnected, hasPower }, setDialog);
  const losses = rows?.filter(isLoss).map(({ name }) => name) ?? [];
  const make = mayEdit && (
    <Button type="primary" icon={<Plus />} onClick={() => setDialog('new')}>
      {t('workers.groups.new')}
    </Button>
  );
  const none = groups.data?.length === 0;
  return (
    <PageFrame
      tab="groups"
      sub={
        losses.length > 0
          ? t('workers.groups.atLossNow', { groups: losses.join(', ') })
          : t('workers.groups.lead', { account: session.account })
      }
      actions={
        <>
          {!compared && all.length >= COMPARABLE.least && (
            <Button onClick={() => compare(all.slice(0, COMPARABLE.most).map(({ key }) => key))}>
              {t('workers.groups.compare')}
            </Button>
          )}
          {!none && make}
        </>
      }
    >
      {compared && <GroupComparison all={all} chosen={compared} onChoose={compare} onClose={endComparison} />}
      <div className={styles.list}>
        <QueryError query={groups.error ? { ...groups, data: rows } : { ...live, data: rows }} />
        {none ? (
          <Panel padded={false}>
            <Empty title={t('workers.groups.empty')} action={make}>
              {t('workers.groups.emptyWhat')}
            </Empty>
          </Panel>
        ) : (
          (rows ?? !(groups.error ?? live.error)) && (
            <DataTable
              label={t('workers.tab.groups')}
              columns={columns}
              rows={sorted ?? NONE}
              sort={order}
              onSort={(next) =>
                setPlace({ sort: PLACE.sort(next?.key ?? null), dir: next?.order === 'descend' ? 'desc' : undefined })
              }
              rowKey={keyOf}
              card={(group) => <GroupCard group={group} columns={columns} />}
              loading={!rows}
            />
          )
        )}
      </div>
      {dialog && <GroupDialog group={dialog === 'new' ? undefined : dialog} onClose={() => setDialog(undefined)} />}
    </PageFrame>
  );
}

const NONE: GroupTotals[] = [];
const PLACE = { sort: oneOf(GROUP_SORTS), dir: oneOf(['desc']) };
const keyOf = ({ name }: GroupTotals) => name ?? '';
