import { ALGORITHM_NAMES, WORKER_NAME } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useAbility, useConnectionInfo, useServices } from '@pool/shared/remote';
import { Loading, Panel, QueryError, Skeleton, useFormat } from '@pool/shared/ui/core';
import { Input, Select } from '@pool/shared/ui/form';
import { useId, useState } from 'react';
import { PageFrame } from '../frame/page-frame';
import { AlgorithmPanel } from './algorithm-panel';
import styles from './connection-page.module.css';
import { DIFFICULTIES, useWish } from './use-wish';

/** How to point a miner at the pool: addresses, names, passwords, and lines to paste. */
export function ConnectionPage() {
  const { t } = useTranslation();
  const { session } = useServices();
  const ability = useAbility();
  const info = useConnectionInfo();
  const [wish, change] = useWish();
  // Legacy users have one algorithm and do not choose.
  const names = ability.can('read', 'algorithm-list') ? ALGORITHM_NAMES : [session.algorithm];
  // The one that the page is about comes first.
  const order = [session.algorithm, ...names.filter((name) => name !== session.algorithm)];
  return (
    <PageFrame tab="connection" sub={t('workers.connection.lead', { account: session.account })}>
      <div className={styles.page}>
        <div className={styles.column}>
          <Panel title={t('workers.connection.miner')}>
            <div className={styles.wish}>
              <NameField value={wish.name} onChange={(name) => change({ name })} />
              <DifficultyField value={wish.difficulty} onChange={(difficulty) => change({ difficulty })} />
            </div>
          </Panel>
          <QueryError query={info} />
          {!info.data && !info.error && (
            <Loading className={styles.column}>
              <Skeleton height={340} radius={8} />
              <Skeleton height={340} radius={8} />
            </Loading>
          )}
          {order.map((algorithm) => {
            const connection = info.data?.find((entry) => entry.algorithm === algorithm);
            return (
              connection && (
                <AlgorithmPanel
                  key={algorithm}
                  connection={connection}
                  wish={wish}
                  software={wish.software}
                  onSoftware={(software) => change({ software })}
                />
              )
            );
          })}
        </div>
        <Rules />
      </div>
    </PageFrame>
  );
}

function NameField({ value, onChange }: { value: string; onChange(name: string): void }) {
  const { t } = useTranslation();
  const id = useId();
  const [typed, setTyped] = useState(value);
  const bad = !WORKER_NAME.test(typed);
  return (
    <div>
      <label htmlFor={id}>{t('workers.connection.name')}</label>
      <Input
        id={id}
        dir="ltr"
        value={typed}
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        status={bad ? 'error' : undefined}
        aria-invalid={bad}
        aria-describedby={`${id}-help`}
        onChange={({ target }) => {
          setTyped(target.value);
          if (WORKER_NAME.test(target.value)) onChange(target.value);
        }}
      />
      <p id={`${id}-help`} className={bad ? styles.bad : undefined} role={bad ? 'alert' : undefined}>
        {t(bad ? 'workers.connection.nameBad' : 'workers.connection.nameHelp')}
      </p>
    </div>
  );
}

function DifficultyField({ value, onChange }: { value: number | null; onChange(difficulty: number | null): void }) {
  const { t } = useTranslation();
  const { count } = useFormat();
  const id = useId();
  const offered = value === null || DIFFICULTIES.includes(value as never) ? DIFFICULTIES : [...DIFFICULTIES, value];
  return (
    <div>
      <label htmlFor={id}>{t('workers.connection.difficulty')}</label>
      <Select<number>
        id={id}
        className={styles.select}
        value={value ?? 0}
        aria-describedby={`${id}-help`}
        onChange={(next) => onChange(next === 0 ? null : next)}
        options={[
          { value: 0, label: t('workers.connection.automatic') },
          ...offered.map((difficulty) => ({ value: difficulty, label: count(difficulty) })),
        ]}
      />
      <p id={`${id}-help`}>{t('workers.connection.difficultyHelp')}</p>
    </div>
  );
}

const RULES = ['user', 'characters', 'same', 'password', 'difficulty', 'tls'] as const;

function Rules() {
  const { t } = useTranslation();
  return (
    <Panel title={t('workers.connection.rules')} className={styles.rules}>
      <ul>
        {RULES.map((rule) => (
          <li key={rule}>{t(`workers.connection.rule.${rule}`)}</li>
        ))}
      </ul>
    </Panel>
  );
}
