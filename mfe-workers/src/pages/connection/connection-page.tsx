import { ALGORITHM_NAMES, WORKER_NAME } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useAbility, useConnectionInfo, useServices } from '@pool/shared/remote';
import { shortText, useUrlState } from '@pool/shared/router';
import { Panel, QueryState, Skeleton, useFormat } from '@pool/shared/ui/core';
import { SelectField, TextField } from '@pool/shared/ui/form';
import { useState } from 'react';
import frame from '../frame/two-columns.module.css';
import { PageFrame, Rules } from '../frame/tabs';
import { AlgorithmPanel } from './algorithm-panel';
import styles from './connection-page.module.css';

const RULES = ['user', 'characters', 'same', 'password', 'difficulty', 'tls'] as const;
const DIFFICULTIES = [64, 512, 4096, 32_768, 262_144, 2_097_152] as const;
/** `?name=&d=&software=`, so that a setup can be shared. */
const PLACE = {
  name: (text: string | null) => (text !== null && WORKER_NAME.test(text) ? text : 'rig-01'),
  d: (text: string | null) => (text !== null && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null),
  software: shortText,
};

export function ConnectionPage() {
  const { t } = useTranslation();
  const { session } = useServices();
  const ability = useAbility();
  const info = useConnectionInfo();
  const [{ name, d: difficulty, software }, set] = useUrlState(PLACE);
  const change = (part: Parameters<typeof set>[0]) => set(part, { replace: true });
  // Legacy users have one algorithm and do not choose.
  const names = ability.can('read', 'algorithm-list') ? ALGORITHM_NAMES : [session.algorithm];
  // The one that the page is about comes first.
  const order = [session.algorithm, ...names.filter((other) => other !== session.algorithm)];
  return (
    <PageFrame tab="connection" sub={t('workers.connection.lead', { account: session.account })}>
      <div className={frame.page}>
        <div className={frame.column}>
          <Panel title={t('workers.connection.miner')}>
            <div className={styles.wish}>
              <NameField value={name} onChange={(next) => change({ name: next })} />
              <DifficultyField value={difficulty} onChange={(d) => change({ d })} />
            </div>
          </Panel>
          <QueryState query={info} className={frame.column}>
            <Skeleton height={340} radius={8} />
            <Skeleton height={340} radius={8} />
          </QueryState>
          {order.map((algorithm) => {
            const connection = info.data?.find((entry) => entry.algorithm === algorithm);
            return (
              connection && (
                <AlgorithmPanel
                  key={algorithm}
                  connection={connection}
                  wish={{ name, difficulty }}
                  software={software}
                  onSoftware={(next) => change({ software: next })}
                />
              )
            );
          })}
        </div>
        <Rules
          title={t('workers.connection.rules')}
          rules={RULES.map((rule) => t(`workers.connection.rule.${rule}`))}
        />
      </div>
    </PageFrame>
  );
}

function NameField({ value, onChange }: { value: string; onChange(name: string): void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value);
  const bad = !WORKER_NAME.test(typed);
  return (
    <TextField
      isCode
      label={t('workers.connection.name')}
      hint={bad ? undefined : t('workers.connection.nameHelp')}
      error={bad && t('workers.connection.nameBad')}
      maxLength={64}
      value={typed}
      onChange={(text) => {
        setTyped(text);
        if (WORKER_NAME.test(text)) onChange(text);
      }}
    />
  );
}

function DifficultyField({ value, onChange }: { value: number | null; onChange(difficulty: number | null): void }) {
  const { t } = useTranslation();
  const { count } = useFormat();
  const offered = value === null || DIFFICULTIES.includes(value as never) ? DIFFICULTIES : [...DIFFICULTIES, value];
  return (
    <SelectField<number>
      label={t('workers.connection.difficulty')}
      hint={t('workers.connection.difficultyHelp')}
      value={value ?? 0}
      onChange={(next) => onChange(next === 0 ? null : next)}
      options={[
        { value: 0, label: t('workers.connection.automatic') },
        ...offered.map((difficulty) => ({ value: difficulty, label: count(difficulty) })),
      ]}
    />
  );
}
