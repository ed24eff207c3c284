import type { Worker } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Facts, StateGlyph, WidgetBoundary } from '@pool/shared/ui/core';
import { ComparisonChart } from './comparison-chart';
import styles from './inspector.module.css';
import { Side } from './side';
import { WorkerHashrate } from './worker-hashrate';

/** Hashrates of two to five workers on one chart, in the panel of one. */
export function Comparison({ workers, onClose }: { workers: readonly Worker[]; onClose(): void }) {
  const { t } = useTranslation();
  const title = t('workers.compare.title');
  return (
    <Side label={title} title={title} onClose={onClose}>
      <WidgetBoundary>
        <ComparisonChart lines={workers.map(({ id, name }) => ({ name, whose: { worker: id } }))} />
      </WidgetBoundary>
      {(['h1', 'h24'] as const).map((window) => (
        <section key={window} className={styles.section} aria-label={t(`workers.${window}`)}>
          <div className={styles.sectionHead}>
            <h3>{t(`workers.${window}`)}</h3>
          </div>
          <Facts
            rows={workers.map((worker) => ({
              key: String(worker.id),
              label: (
                <>
                  <StateGlyph state={worker.state} /> <bdi>{worker.name}</bdi>
                </>
              ),
              value: <WorkerHashrate worker={worker} window={window} />,
            }))}
          />
        </section>
      ))}
    </Side>
  );
}
