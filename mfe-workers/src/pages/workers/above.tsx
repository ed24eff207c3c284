import type { Worker } from '@pool/shared';
import { lazyPart } from '@pool/shared/remote';
import { oneOf, useUrlState } from '@pool/shared/router';
import { Panel } from '@pool/shared/ui/core';
import { Timeline } from '@pool/shared/ui/timeline';
import { FarmEvents } from '@pool/shared/ui/waiting';
import { useCallback, useMemo, useState } from 'react';
import { Joins } from './joins/later';
import styles from './workers-page.module.css';

const FarmMap = lazyPart(
  'workers-map',
  async () => (await import(/* webpackChunkName: "map" */ './map/farm-map')).FarmMap,
  null,
);
const Strangers = lazyPart('workers-more', async () => (await import('./strangers')).Strangers, null);

const NONE: readonly Worker[] = [];
const OPENED = { map: oneOf(['on']), happened: oneOf(['on']) };
/** Kinds of what happens to workers. */
const HAPPENED = ['outage', 'off', 'dip', 'switch'] as const;

/** What is open above the list: the map, what happened, workers that look renamed. */
export function useAbove() {
  const [{ map, happened }, set] = useUrlState(OPENED);
  const [joining, setJoining] = useState(false);
  return {
    map: map === 'on',
    toggleMap: useCallback(() => set({ map: map ? undefined : 'on' }), [map, set]),
    happened: happened === 'on',
    toggleHappened: useCallback(() => set({ happened: happened ? undefined : 'on' }), [happened, set]),
    joining,
    toggleJoining: useCallback(() => setJoining((open) => !open), []),
  };
}

type AboveProps = {
  open: Pick<ReturnType<typeof useAbove>, 'map' | 'happened' | 'joining'>;
  /** Undefined while they are not all there. */
  workers: readonly Worker[] | undefined;
  /** Workers that the search and the filters leave. */
  matching: readonly Worker[];
  /** Id of the event whose workers are shown. */
  event: number | null;
  onGroup(group: string | null): void;
};

export function Above({ open: { map, happened, joining }, workers, matching, event, onGroup }: AboveProps) {
  const strangers = useMemo(() => (workers ?? NONE).filter(({ strange }) => strange), [workers]);
  /** The workers of the map, by name whatever the list is sorted by. */
  const inMap = useMemo(() => {
    if (!map || !workers || matching.length === workers.length) return workers ?? NONE;
    const found = new Set(matching);
    return workers.filter((worker) => found.has(worker));
  }, [map, matching, workers]);
  return (
    <>
      {workers && <FarmEvents chosen={event} />}
      {workers && map && (
        <Panel className={styles.above}>
          <FarmMap workers={inMap} onGroup={onGroup} />
        </Panel>
      )}
      {happened && (
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
    </>
  );
}
