import { ALGORITHMS, type AlgorithmName, type Upstream } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useUpstreams } from '@pool/shared/remote';
import { Hashrate, Skeleton, StateGlyph } from '@pool/shared/ui/core';
import { useHashrates } from '../../api/upstreams';
import styles from './flow.module.css';

/** Where the work of an algorithm goes now: miners, proxy, upstream, hashrate. */
export function Flow({ algorithm }: { algorithm: AlgorithmName }) {
  const { t } = useTranslation();
  const { data } = useUpstreams();
  const hashrates = useHashrates(algorithm).data;
  if (!data) return <Skeleton width={220} height={20} />;
  const { miners, target } = flowOf(data, algorithm);
  const flows = target !== null && miners > 0;
  return (
    <p
      className={styles.flow}
      data-flows={flows || undefined}
      aria-label={t('workers.pools.flow', { algorithm: ALGORITHMS[algorithm].label })}
      role="group"
    >
      <span className={styles.miners}>{t('workers.pools.miners', { count: miners })}</span>
      <i className={styles.line} aria-hidden="true" />
      <span className={styles.proxy}>{t('workers.pools.proxy')}</span>
      <i className={`${styles.line} ${styles.second}`} aria-hidden="true" />
      {target ? (
        <bdi className={styles.target}>{target.name}</bdi>
      ) : (
        <span className={styles.none}>
          <StateGlyph state="down" /> {t('workers.pools.nowhere')}
        </span>
      )}
      {flows && hashrates && (
        <span className={styles.hashrate}>
          <Hashrate hs={hashrates.m5} />
        </span>
      )}
    </p>
  );
}

/** `target`: the upstream in use, else the first that may work; null when none of the list does. */
function flowOf(upstreams: readonly Upstream[], algorithm: AlgorithmName) {
  const list = upstreams.filter((upstream) => upstream.algorithm === algorithm);
  return {
    miners: list.reduce((sum, { connections }) => sum + connections, 0),
    target: list.find(({ state }) => state === 'active') ?? list.find(({ state }) => state === 'standby') ?? null,
  };
}
