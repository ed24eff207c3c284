import { ratesKnown, type Answer, type WorkerCounts } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Disconnected, Dot, PoolAway, StateGlyph, useFormat } from '@pool/shared/ui/core';
import { type ReactNode } from 'react';
import { changeIn } from './chart/change';
import styles from './dashboard-page.module.css';
import { WorkersLink } from './workers-link';

type Live = Answer<'GET /proxyLiveHashchart/'>;

/** The last hour against the mean of 24 h, as a part of it; null without a whole day, or too few shares to compare. */
const changeOf = ({ current: { h1, h24, minedSince }, quality24h }: Live): number | null =>
  h24 > 0 && minedSince === undefined && ratesKnown(quality24h.shares) ? h1 / h24 - 1 : null;

type Props = { group: string | undefined; counts: WorkerCounts | undefined; live: Live | undefined };

/** Whether all is well, in one line: what needs attention, with links to its workers, and the hashrate's change. */
export function Verdict({ group, counts, live }: Props) {
  const { t } = useTranslation();
  const { percent } = useFormat();
  // The line's place, so that nothing moves.
  if (!counts) return <span>{'\u00a0'}</span>;
  const trouble = (['low', 'offline'] as const).filter((state) => counts[state] > 0);
  const parts: ReactNode[] = trouble.map((state) => (
    <WorkersLink key={state} className={styles.trouble} state={state} group={group}>
      <StateGlyph state={state} />
      {t(`dashboard.verdict.${state}`, { count: counts[state] })}
    </WorkersLink>
  ));
  if (counts.disconnected) parts.unshift(<Disconnected {...counts} />);
  if (parts.length === 0) parts.push(t(counts.online > 0 ? 'dashboard.verdict.well' : 'dashboard.verdict.none'));
  const change = live && changeOf(live);
  if (change !== null && change !== undefined) {
    const { word, ...values } = changeIn(change, percent);
    parts.push(t(`dashboard.verdict.${word}`, values));
  }
  if (live?.absences) parts.push(<PoolAway absences={live.absences} />);
  // Money and upstreams are never of a group.
  if (group !== undefined) parts.unshift(t('dashboard.verdict.group', { group }));
  return parts.map((part, index) => (
    // Parts have no other name than their place.
    <span key={index}>
      {index > 0 && <Dot />}
      <span>{part}</span>
    </span>
  ));
}
