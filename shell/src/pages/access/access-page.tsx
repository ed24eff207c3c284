import {
  abilityFor,
  rulesFor,
  withSubjects,
  type AbilityFacts,
  type PoolAbility,
  type RemoteManifest,
} from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { usePageTitle, useServices } from '@pool/shared/remote';
import { Chip, PageHeader, StateGlyph, type StateName } from '@pool/shared/ui/core';
import { DataTable, type DataColumn } from '@pool/shared/ui/table';
import { useMemo } from 'react';
import { remotesQuery } from '../../remotes/registry';
import styles from './access-page.module.css';

type Right = 'manage' | 'read' | 'none';
const GLYPHS: Record<Right, StateName> = { manage: 'active', read: 'standby', none: 'disabled' };

/** Every kind of user, and the rules that the server enforces for it. */
const KINDS: Record<string, AbilityFacts> = {
  miner: { role: 'miner', isLegacyUser: false },
  legacy: { role: 'miner', isLegacyUser: true },
  viewer: { role: 'miner', isLegacyUser: false, readOnly: true },
  admin: { role: 'admin', isLegacyUser: false },
};

type Subject = Exclude<Parameters<PoolAbility['can']>[1], undefined>;
type Row = { subject: Subject; rights: Record<string, Right> };

const rightOf = (ability: PoolAbility, subject: Subject): Right =>
  ability.can('manage', subject) ? 'manage' : ability.can('read', subject) ? 'read' : 'none';
const rowOf = (subject: Subject, of: Pick<RemoteManifest, 'subjects'> = {}): Row => ({
  subject,
  rights: Object.fromEntries(
    Object.entries(KINDS).map(([kind, facts]) => [kind, rightOf(withSubjects(abilityFor(facts), of), subject)]),
  ),
});
const SUBJECTS = new Set(
  Object.values(KINDS).flatMap((facts) => rulesFor(facts).map(({ subject }) => subject as Subject)),
);
const ROWS: readonly Row[] = [...SUBJECTS].map((subject) => rowOf(subject));
const keyOf = ({ subject }: Row) => subject;

/** `/pages/access-control`: who may read and change what. Behind `read` on `acl-page`. */
export default function AccessPage() {
  const { t } = useTranslation();
  const title = t('access.nav');
  usePageTitle(title);
  const { api, session } = useServices();
  const { data: remotes } = useQuery(remotesQuery(api, session.userId, { userId: null, remotes: [] }));
  const rows = useMemo(
    () => [
      ...ROWS,
      ...(remotes ?? []).flatMap((remote) =>
        Object.keys(remote.subjects ?? {}).map((subject) => rowOf(subject as Subject, remote)),
      ),
    ],
    [remotes],
  );
  const columns = useMemo(
    (): DataColumn<Row>[] => [
      { key: 'subject', title: t('access.what'), width: 220, names: true, render: (row) => <Name {...row} /> },
      ...Object.keys(KINDS).map((kind) => ({
        key: kind,
        title: t(`access.${kind}`),
        width: 160,
        render: ({ rights }: Row) => <Mark right={rights[kind]} />,
      })),
    ],
    [t],
  );
  return (
    <>
      <PageHeader title={title} sub={t('access.sub')} />
      <DataTable label={title} columns={columns} rows={rows} rowKey={keyOf} />
      <p className={styles.note}>
        <Chip>{t('access.viewer')}</Chip> {t('access.viewer.help')}
      </p>
    </>
  );
}

function Name({ subject }: Pick<Row, 'subject'>) {
  const { t } = useTranslation();
  // A remote's own subject has its name as the key of its text.
  return t([`access.subject.${subject}`, subject]);
}

function Mark({ right = 'none' }: { right?: Right }) {
  const { t } = useTranslation();
  return (
    <span className={styles.mark} data-right={right}>
      <StateGlyph state={GLYPHS[right]} /> {t(`access.${right}`)}
    </span>
  );
}
