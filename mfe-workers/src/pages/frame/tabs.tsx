import { useTranslation } from '@pool/shared/i18n';
import { LinkTabs } from '@pool/shared/link-tabs';
import { useAbility, usePageTitle } from '@pool/shared/remote';
import { PageHeader, Panel } from '@pool/shared/ui/core';
import { memo, type ReactNode } from 'react';
import styles from './two-columns.module.css';

const PATHS = { list: '', groups: 'groups', pools: 'pools', connection: 'connection' } as const;
type Tab = keyof typeof PATHS;
const TABS = Object.keys(PATHS) as Tab[];

/** The pages of this remote as tabs. Not drawn again with each letter typed in the list. */
export const Tabs = memo(function Tabs({ shown }: { shown: Tab }) {
  const { t } = useTranslation();
  // A user who may only look at the workers has nothing to do on the other pages.
  const ability = useAbility();
  const all = ability.can('read', 'account') ? TABS : TABS.slice(0, 1);
  const tabs = all.filter((name) => name !== 'pools' || ability.can('read', 'pools'));
  usePageTitle(shown === 'list' ? undefined : `${t(`workers.tab.${shown}`)} · ${t('workers.nav')}`);
  return (
    <LinkTabs
      label={t('workers.tabs')}
      tabs={tabs.map((name) => ({ name, to: `../${PATHS[name]}`, text: t(`workers.tab.${name}`) }))}
      shown={shown}
    />
  );
});

export const Rules = ({ title, rules }: { title: string; rules: readonly string[] }) => (
  <Panel title={title}>
    <ul className={styles.rules}>
      {rules.map((rule) => (
        <li key={rule}>{rule}</li>
      ))}
    </ul>
  </Panel>
);

type FrameProps = { tab: Tab; sub?: ReactNode; actions?: ReactNode; children: ReactNode };

export function PageFrame({ tab, sub, actions, children }: FrameProps) {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t('workers.nav')} sub={sub} actions={actions} />
      <Tabs shown={tab} />
      {children}
    </>
  );
}
