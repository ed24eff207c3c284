import { ALGORITHMS, type Worker } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { lazyPart, useServices } from '@pool/shared/remote';
import { Button, ChevronDown, ChevronUp, Empty, Skeleton, StateMark, WidgetBoundary, X } from '@pool/shared/ui/core';
import { useEffect, useRef, type ReactNode } from 'react';
import styles from './inspector.module.css';
import { InspectorChart } from './inspector-chart';
import { InspectorFacts, InspectorNumbers, ShareQuality } from './inspector-facts';
import { VerdictNotice } from '../verdict-notice';

const InspectorMore = lazyPart(
  'workers-more',
  async () => (await import('./inspector-more')).InspectorMore,
  <Skeleton height={160} />,
);

type Props = {
  /** Null when the URL has the id of a worker that the account does not have. */
  worker: Worker | null;
  onWalk(step: 1 | -1): void;
  onClose(): void;
};

/** One worker beside the list. Not modal: the list stays usable, and arrow keys go to the next worker. */
export function Inspector({ worker, onWalk, onClose }: Props) {
  const { t } = useTranslation();
  const { account, algorithm } = useServices().session;
  const heading = useRef<HTMLHeadingElement>(null);

  // The keyboard would have to walk through the rest of the list to get here. Closing returns the focus to the row.
  useEffect(() => heading.current?.focus(), []);

  return (
    <aside
      className={styles.inspector}
      aria-label={worker ? t('workers.inspector', { name: worker.name }) : t('workers.gone.title')}
      data-inspector=""
    >
      <header className={styles.head}>
        <div className={styles.words}>
          <h2 ref={heading} tabIndex={-1} className={styles.name} aria-live="polite">
            {worker ? <bdi>{worker.name}</bdi> : t('workers.gone.title')}
          </h2>
          {worker && (
            <p className={styles.state}>
              <StateMark state={worker.state} />
            </p>
          )}
        </div>
        <div className={styles.buttons}>
          <IconButton name={t('workers.previous')} onClick={() => onWalk(-1)}>
            <ChevronUp />
          </IconButton>
          <IconButton name={t('workers.next')} onClick={() => onWalk(1)}>
            <ChevronDown />
          </IconButton>
          <IconButton name={t('workers.close')} onClick={onClose}>
            <X />
          </IconButton>
        </div>
      </header>
      {worker ? (
        <>
          <VerdictNotice worker={worker} />
          <InspectorNumbers worker={worker} />
          <WidgetBoundary>
            <InspectorChart worker={worker} />
          </WidgetBoundary>
          <ShareQuality worker={worker} />
          <InspectorFacts worker={worker} />
          <WidgetBoundary>
            <InspectorMore key={worker.id} worker={worker} />
          </WidgetBoundary>
        </>
      ) : (
        <Empty title={t('workers.gone.title')} action={<Button onClick={onClose}>{t('workers.gone.back')}</Button>}>
          {t('workers.gone.what', { account, algorithm: ALGORITHMS[algorithm].label })}
        </Empty>
      )}
    </aside>
  );
}

export function IconButton({ name, onClick, children }: { name: string; onClick(): void; children: ReactNode }) {
  return (
    <Button
      type="text"
      className={styles.iconButton}
      aria-label={name}
      title={name}
      onClick={onClick}
      icon={children}
    />
  );
}
