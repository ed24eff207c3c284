import { ALGORITHM_NAMES } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useAbility, useServices } from '@pool/shared/remote';
import { Button, Panel, QueryState, Skeleton, WidgetBoundary } from '@pool/shared/ui/core';
import { Plus } from '@pool/shared/ui/icons';
import { TimelineList } from '@pool/shared/ui/timeline';
import { useState } from 'react';
import { usePoolLists } from '../../api/pool-lists';
import { PageFrame, Rules } from '../frame/tabs';
import { HeldChanges } from './held-changes';
import { PoolDialog, type Subject } from './pool-dialog';
import { PoolList } from './list/pool-list';
import styles from '../frame/two-columns.module.css';
import { SavedPools } from './saved-pools';

/** What the proxy does when a pool fails (docs/adr/0007-failover.md). */
const RULES = ['over', 'back', 'often', 'dead', 'none', 'paid'] as const;
const SWITCHES = ['switch'] as const;

export function PoolsPage() {
  const { t } = useTranslation();
  const { session } = useServices();
  const ability = useAbility();
  const lists = usePoolLists();
  const [subject, setSubject] = useState<Subject | null>(null);
  const algorithms = ability.can('read', 'algorithm-list') ? ALGORITHM_NAMES : [session.algorithm];
  return (
    <PageFrame
      tab="pools"
      sub={t('workers.pools.lead', { account: session.account })}
      actions={
        ability.can('manage', 'pools') && (
          <Button type="primary" icon={<Plus />} onClick={() => setSubject({ algorithm: session.algorithm })}>
            {t('workers.pools.add')}
          </Button>
        )
      }
    >
      <div className={styles.page}>
        <div className={styles.column}>
          <QueryState query={lists} className={styles.column}>
            <Skeleton height={300} radius={8} />
            <Skeleton height={180} radius={8} />
          </QueryState>
          <HeldChanges />
          {lists.data &&
            algorithms.map((algorithm) => (
              <WidgetBoundary key={algorithm}>
                <PoolList
                  algorithm={algorithm}
                  pools={lists.data.filter(({ algo }) => algo === algorithm)}
                  onOpen={setSubject}
                />
              </WidgetBoundary>
            ))}
        </div>
        <div className={styles.column}>
          <WidgetBoundary>
            <Panel title={t('workers.pools.switches')}>
              <TimelineList kinds={SWITCHES} everyAlgorithm={algorithms.length > 1} />
            </Panel>
          </WidgetBoundary>
          <WidgetBoundary>
            <SavedPools lists={lists.data} onOpen={setSubject} />
          </WidgetBoundary>
          <Rules title={t('workers.pools.failover')} rules={RULES.map((rule) => t(`workers.pools.rule.${rule}`))} />
        </div>
      </div>
      {subject && <PoolDialog subject={subject} algorithms={algorithms} onClose={() => setSubject(null)} />}
    </PageFrame>
  );
}
