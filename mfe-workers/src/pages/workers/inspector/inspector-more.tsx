import type { Worker } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useAbility, useServices, useUpstreams } from '@pool/shared/remote';
import { DASH, Facts, Percent, Sparkline, useFormat } from '@pool/shared/ui/core';
import { Problem, Switch } from '@pool/shared/ui/form';
import { useId, useState } from 'react';
import { useAlertLimit } from '../../../api/worker-groups';
import { useWorkerHistory, useWorkerUptime } from '../../../api/worker-history';
import { useUndoableBulk } from '../controls/use-undo';
import styles from './inspector.module.css';

/** What the inspector shows when its first part stands: where the work goes, difficulty, alerts. */
export function InspectorMore({ worker }: { worker: Worker }) {
  const mayEdit = useAbility().can('manage', 'workers');
  return (
    <>
      <MoreFacts worker={worker} />
      {mayEdit && <AlertSettings worker={worker} />}
    </>
  );
}

function MoreFacts({ worker }: { worker: Worker }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { algorithm } = useServices().session;
  const upstream = useUpstreams(worker.account).data?.find(
    (one) => one.algorithm === algorithm && one.state === 'active',
  );
  // The day: the chart asks for it too.
  const difficulty = useWorkerHistory(worker.id, 'd1').data?.difficulty ?? [];
  const { h24, d7, model } = useWorkerUptime(worker.id).data ?? {};
  const known = difficulty.filter((value) => value !== null);
  const [least, most] = [Math.min(...known), Math.max(...known)].map(format.difficulty);
  return (
    <section className={styles.section}>
      <Facts
        rows={[
          {
            label: t('workers.more.upstream'),
            value: upstream && worker.connectedAt !== null ? <bdi>{upstream.name}</bdi> : DASH,
          },
          worker.account !== undefined && { label: t('workers.account'), value: <bdi>{worker.account}</bdi> },
          { label: t('workers.group'), value: worker.group ?? DASH },
          {
            label: t('workers.more.difficulty'),
            value:
              known.length === 0 ? (
                DASH
              ) : (
                <span className={styles.difficulty}>
                  <Sparkline points={difficulty} />
                  <bdi dir="ltr">{least === most ? least : `${least} – ${most}`}</bdi>
                </span>
              ),
          },
          {
            label: t('workers.more.uptime'),
            value: (
              <span>
                <span>
                  <Percent rate={h24} />
                </span>{' '}
                ·{' '}
                <span>
                  <Percent rate={d7} />
                </span>
              </span>
            ),
          },
          model && {
            label: t('workers.more.model'),
            value: t(`workers.more.model.${model.by}`, { model: model.name }),
          },
          model && {
            label: t('workers.more.ofModel', { hashrate: format.hashrateText(model.hashrate) }),
            value: <Percent rate={worker.minedSince === undefined ? worker.h24 / model.hashrate : null} />,
          },
        ]}
      />
    </section>
  );
}

function AlertSettings({ worker }: { worker: Worker }) {
  const { id, muted, mutedUntil, alertLimit } = worker;
  const { t } = useTranslation();
  const { percent, dayClock } = useFormat();
  const label = useId();
  const limit = useAlertLimit();
  const { bulk, run } = useUndoableBulk();
  /** While the slider moves; null: as the server has it. */
  const [moving, setMoving] = useState<number | null>(null);
  const shown = moving ?? (limit.isPending ? limit.variables.alertLimit : alertLimit);
  const commit = () => {
    if (moving !== null && moving !== alertLimit) limit.mutate({ id, alertLimit: moving });
    setMoving(null);
  };
  const isOn = bulk.isPending ? bulk.variables.action === 'unmute' : !muted;
  const error = limit.error ?? bulk.error;
  return (
    <section className={styles.section} aria-label={t('workers.more.alerts')}>
      <div className={styles.setting}>
        <span id={label}>{t('workers.more.limit')}</span>
        <bdi>{percent(shown, 0)}</bdi>
      </div>
      <input
        type="range"
        className={styles.range}
        min={0}
        max={100}
        step={5}
        value={Math.round(shown * 100)}
        aria-labelledby={label}
        aria-valuetext={percent(shown, 0)}
        onChange={({ target }) => setMoving(Number(target.value) / 100)}
        onPointerUp={commit}
        onKeyUp={commit}
        onBlur={commit}
      />
      <div className={styles.setting}>
        <span>
          {mutedUntil === undefined
            ? t('workers.more.alertsOn')
            : mutedUntil === null
              ? t('workers.more.mutedOver')
              : t('workers.more.mutedUntil', { until: dayClock(mutedUntil) })}
        </span>
        <Switch
          checked={isOn}
          loading={bulk.isPending}
          aria-label={t('workers.more.alertsOn')}
          onChange={(on) => run({ action: on ? 'unmute' : 'mute' }, [worker])}
        />
      </div>
      <Problem error={error} />
    </section>
  );
}
