import type { Worker } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Sparkline, StateMark } from '@pool/shared/ui/core';
import { memo, useImperativeHandle, useRef } from 'react';
import styles from './list.module.css';
import { scrollToRow, useWindow } from './use-window';
import { WorkerHashrate } from './worker-hashrate';
import { WorkerLink } from './worker-link';
import { endingOf, LastShare, type ListProps } from './worker-table';

/** Height of a card and the gap below it, pixels. */
const CARD = 104;
/** Height of the phone's app bar with its row of pickers, pixels. */
const COVERED = 107;

/** The list as cards, below 640 px. */
export function WorkerCards({ ref, workers, openId }: Pick<ListProps, 'ref' | 'workers' | 'openId'>) {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  const { start, end } = useWindow(list, workers.length, CARD);
  useImperativeHandle(ref, () => ({ scrollTo: (index) => scrollToRow(list.current, index, CARD, COVERED) }), []);
  return (
    <ul
      ref={list}
      className={styles.cards}
      aria-label={t('workers.list')}
      style={{ paddingBlock: `${start * CARD}px ${(workers.length - end) * CARD}px` }}
    >
      {workers.slice(start, end).map((worker, i) => (
        <Card key={worker.id} worker={worker} open={worker.id === openId} at={start + i + 1} of={workers.length} />
      ))}
    </ul>
  );
}

type CardProps = { worker: Worker; open: boolean; at: number; of: number };

const Card = memo(function Card({ worker, open, at, of }: CardProps) {
  const { t } = useTranslation();
  return (
    <li className={styles.card} data-open={open || undefined} aria-posinset={at} aria-setsize={of} data-row={worker.id}>
      <div className={styles.cardHead}>
        <span className={styles.cardName}>
          <WorkerLink worker={worker} />
        </span>
        <StateMark state={worker.state} />
      </div>
      <dl className={styles.cardFacts}>
        <div>
          <dt>{t('workers.h1')}</dt>
          <dd>
            <WorkerHashrate worker={worker} window="h1" />
          </dd>
        </div>
        <div>
          <dt>{t('workers.h24')}</dt>
          <dd>
            <WorkerHashrate worker={worker} window="h24" />
          </dd>
        </div>
        <div>
          <dt>{t('workers.lastShare')}</dt>
          <dd>
            <LastShare worker={worker} />
          </dd>
        </div>
      </dl>
      <span className={styles.cardSpark}>
        <Sparkline points={worker.spark} ending={endingOf(worker)} />
      </span>
    </li>
  );
});
