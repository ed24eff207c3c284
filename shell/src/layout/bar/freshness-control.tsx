import { useTranslation } from '@pool/shared/i18n';
import { useQueryClient } from '@pool/shared/query';
import { Button, Dropdown, useFormat, useNow, VisuallyHidden } from '@pool/shared/ui/core';
import type { ReactNode } from 'react';
import { setPaused } from '../../live/pause';
import { useSettingsStore } from '../../settings/settings-context';
import { useFreshness, type Freshness } from '../../live/use-freshness';
import { Banner } from '../banner';
import bar from './app-bar.module.css';
import styles from './freshness-control.module.css';

const SHAPES: Record<Freshness['state'], ReactNode> = {
  live: (
    <>
      <circle cx="8" cy="8" r="8" opacity="0.22" />
      <circle cx="8" cy="8" r="4" />
    </>
  ),
  paused: <path d="M4 3h3v10H4zM9 3h3v10H9z" />,
  stale: <path d="M2.5 4h11L8 13.5z" />,
  offline: <path d="m4 5.2 1.2-1.2L8 6.8 10.8 4 12 5.2 9.2 8 12 10.8 10.8 12 8 9.2 5.2 12 4 10.8 6.8 8z" />,
};

/** How fresh the page's data is; opens details and the pause switch. `short`: without the word. */
export function FreshnessControl({ short }: { short: boolean }) {
  const { t } = useTranslation();
  const { duration } = useFormat();
  const queryClient = useQueryClient();
  const { state, at } = useFreshness();
  const { chosen, change } = useSettingsStore();
  const { alarm } = chosen;
  const now = useNow();
  const word = t(`live.${state}`);
  const isOld = state === 'stale' || state === 'offline';
  const said = isOld && at !== null ? t('ui.stale', { age: duration(now - at) }) : word;
  const paused = state === 'paused';
  return (
    <>
      <Dropdown
        placement="bottomRight"
        menu={{
          items: [
            { key: 'age', type: 'group', label: <Age at={at} /> },
            {
              key: 'pause',
              label: t(paused ? 'live.resume' : 'live.pause'),
              onClick: () => setPaused(!paused),
            },
            {
              key: 'refresh',
              label: t('live.refresh'),
              onClick: () => void queryClient.refetchQueries({ type: 'active' }),
            },
            {
              key: 'alarm',
              label: t(alarm ? 'live.alarmOff' : 'live.alarmOn'),
              onClick: () => change({ alarm: !alarm }),
            },
          ],
        }}
      >
        <button
          type="button"
          className={`${bar.button} ${styles.control}`}
          data-live={state}
          aria-label={`${t('live.title')}: ${said}`}
          title={t(`live.${state}.title`)}
        >
          <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden className={styles.shape}>
            {SHAPES[state]}
          </svg>
          {!short && <span className={styles.word}>{said}</span>}
        </button>
      </Dropdown>
      <VisuallyHidden>
        <span role="status">{word}</span>
      </VisuallyHidden>
    </>
  );
}

/** `14:32 UTC · Updated 4 s ago`. */
function Age({ at }: { at: number | null }) {
  const { t } = useTranslation();
  const { clock, zone, duration } = useFormat();
  const now = useNow();
  return (
    <>
      <bdi>
        {clock(now)} {zone(now)}
      </bdi>
      {at !== null && <span> · {t('ui.updated', { age: duration(now - at) })}</span>}
    </>
  );
}

/** A sentence when the whole page is old (`data-outage`). It covers the page's end: nothing moves. */
export function FreshnessBanner() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { state, at, down } = useFreshness();
  const offline = state === 'offline';
  if (!offline && !(state === 'stale' && down)) return null;
  return (
    <div data-outage="">
      <Banner>
        {t(offline ? 'live.offline.banner' : at === null ? 'shell.noAnswer' : 'live.stale.banner')}
        <Button type="link" size="small" onClick={() => void queryClient.refetchQueries({ type: 'active' })}>
          {t('ui.retry')}
        </Button>
      </Banner>
    </div>
  );
}
