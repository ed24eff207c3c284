import { ALGORITHMS, type AlgorithmName, type UpstreamSwitch } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useServiceQuery } from '@pool/shared/remote';
import { ArrowRight, Panel, QueryState, Skeleton, StateGlyph, type StateName, useFormat } from '@pool/shared/ui/core';
import { Newest } from '@pool/shared/ui/table';
import { useState } from 'react';
import styles from './switch-log.module.css';

const GLYPHS: Partial<Record<UpstreamSwitch['why'], StateName>> = {
  restored: 'active',
  returned: 'active',
  changed: 'standby',
  unreadable: 'unreadable',
};
const FIRST = 8;

export function SwitchLog({ algorithms }: { algorithms: readonly AlgorithmName[] }) {
  const { t } = useTranslation();
  const { count } = useFormat();
  const switches = useServiceQuery(({ api, session: { account } }) => ({
    queryKey: ['upstreams', 'switches', { account }],
    queryFn: ({ signal }) => api('GET /upstreamSwitches', { query: { userName: account }, signal }),
  }));
  const [all, setAll] = useState(false);
  const rows = switches.data?.filter(({ algorithm }) => algorithms.includes(algorithm));
  return (
    <Panel title={t('workers.pools.switches')} extra={rows && rows.length > 0 && count(rows.length)}>
      <QueryState query={switches}>
        <Skeleton height={120} />
      </QueryState>
      {rows?.length === 0 && <p className={styles.none}>{t('workers.pools.noSwitches')}</p>}
      {rows && rows.length > 0 && (
        <ol>
          {(all ? rows : rows.slice(0, FIRST)).map((row) => (
            <Row key={row.id} row={row} named={algorithms.length > 1} />
          ))}
        </ol>
      )}
      {rows && rows.length > FIRST && !all && (
        <button type="button" className={styles.more} onClick={() => setAll(true)}>
          {t('ui.table.more', { count: rows.length - FIRST })}
        </button>
      )}
      <Newest of="upstreamSwitches" rows={switches.data} />
    </Panel>
  );
}

function Row({ row: { at, algorithm, from, to, why }, named }: { row: UpstreamSwitch; named: boolean }) {
  const { t } = useTranslation();
  const { clock, moment } = useFormat();
  const nothing = t('workers.pools.nothing');
  return (
    <li className={styles.row}>
      <time dateTime={new Date(at * 1000).toISOString()} title={moment(at)}>
        {clock(at)}
      </time>
      <StateGlyph state={to === null ? 'down' : (GLYPHS[why] ?? 'down')} />
      <span>
        <span className={styles.way}>
          <bdi>{from ?? nothing}</bdi> <ArrowRight data-mirrored className={styles.arrow} size={14} aria-label="→" />{' '}
          <bdi>{to ?? nothing}</bdi>
        </span>
        <small>
          {[named && ALGORITHMS[algorithm].label, t(`workers.pools.reason.${why}`)].filter(Boolean).join(' · ')}
        </small>
      </span>
    </li>
  );
}
