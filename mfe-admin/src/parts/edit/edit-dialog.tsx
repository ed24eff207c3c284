import { ApiError, type ApiClient } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Button, DASH, Notice, QueryState, SkeletonRows } from '@pool/shared/ui/core';
import { Problem, useFormMutation } from '@pool/shared/ui/form';
import { Modal } from '@pool/shared/ui/overlay';
import { useState, type ReactNode } from 'react';
import { PlainTable } from '@pool/shared/ui/table';
import common from '@pool/shared/ui/common.module.css';
import { MOST } from '../../api/edit';
import { useRead } from '../../api/reads';
import { differencesOf, type Drafts, type EditField, labelOf, type Difference } from './fields';
import { Sheet } from './sheet';
import styles from './edit.module.css';

type DifferencesProps<Row> = { differences: readonly Difference<Row>[]; nameOf: (row: Row) => string };

function Differences<Row extends { id: number }>({ differences, nameOf }: DifferencesProps<Row>) {
  const { t } = useTranslation();
  const title = (key: string) => ({ key, title: t(`admin.edit.${key}`) });
  return (
    <div className={styles.scroll}>
      <PlainTable
        label={t('admin.edit.differences')}
        columns={[
          { ...title('row'), render: ({ row }) => nameOf(row) },
          { ...title('field'), render: ({ field }) => field.title },
          {
            ...title('before'),
            render: ({ field, before }) => <bdi className={styles.before}>{labelOf(field, before) || DASH}</bdi>,
          },
          {
            ...title('after'),
            render: ({ field, after, valid }) => (
              <div className={valid ? undefined : styles.bad}>
                <bdi>{labelOf(field, after) || DASH}</bdi>
                {!valid && <div>{field.rule}</div>}
              </div>
            ),
          },
        ]}
        rows={differences}
        rowKey={({ row, field }) => `${row.id} ${field.key}`}
      />
    </div>
  );
}

type Draft = Record<string, string>;
type Props<Row, Update> = {
  kind: 'users' | 'accounts';
  ids: readonly number[];
  /** The rows with these ids, in the order of their names. */
  read(api: ApiClient, query: { ids: string; limit: number }, signal: AbortSignal): Promise<{ rows: Row[] }>;
  save(api: ApiClient, updates: Update[]): Promise<unknown>;
  updateOf(row: Row, draft: Draft): Update;
  fields: readonly EditField<Row>[];
  nameOf: (row: Row) => string;
  title: string;
  hint: ReactNode;
  onClose(): void;
};

/**
 * Edits one row or many: first the sheet, then what would change, then it is done, all or nothing. When somebody else
 * has changed a row meanwhile, the rows are read again: the drafts stay, and what changes is shown anew.
 */
export function EditDialog<Row extends { id: number }, Update>(props: Props<Row, Update>) {
  const { kind, ids, read, updateOf, fields, nameOf, title, hint, onClose } = props;
  const { t } = useTranslation();
  const [drafts, setDrafts] = useState<Drafts>(new Map());
  const [reviewing, setReviewing] = useState(false);
  // An edit begins with what is there now.
  const query = useRead(
    ['admin', 'edit', kind, ids],
    async (api, signal) => (await read(api, { ids: ids.join(','), limit: MOST }, signal)).rows,
    { staleTime: 0, refetchOnWindowFocus: false },
  );
  const rows = query.data ?? [];
  const differences = differencesOf(drafts, rows, fields);
  const changed = new Set(differences.map(({ row }) => row.id)).size;
  const faults = differences.filter(({ valid }) => !valid).length;
  const save = useFormMutation({
    send: (api, changes: { row: Row; draft: Draft }[]) =>
      props.save(
        api,
        changes.map(({ row, draft }) => updateOf(row, draft)),
      ),
    reads: [['admin']],
    said: () => t('admin.edit.saved', { n: changed }),
    onDone: onClose,
  });
  const conflict = save.error instanceof ApiError && save.error.code === 'changed_meanwhile';
  const submit = () =>
    save.mutate(
      rows.flatMap((row) => {
        const own = differences.filter((each) => each.row.id === row.id);
        return own.length
          ? [{ row, draft: Object.fromEntries(own.map(({ field, after }) => [field.key, after])) }]
          : [];
      }),
    );
  return (
    <Modal
      open
      width="min(1100px, calc(100vw - 24px))"
      title={reviewing ? t('admin.edit.review-title', { n: changed }) : title}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={
        reviewing ? (
          <>
            <Button onClick={() => setReviewing(false)}>{t('admin.cancel')}</Button>
            <Button type="primary" disabled={changed === 0 || faults > 0} loading={save.isPending} onClick={submit}>
              {t('admin.edit.save', { n: changed })}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>{t('admin.close')}</Button>
            <Button
              type="primary"
              disabled={changed === 0}
              onClick={() => {
                save.reset();
                setReviewing(true);
              }}
            >
              {t('admin.edit.review', { n: changed })}
            </Button>
          </>
        )
      }
    >
      <QueryState query={query}>
        <SkeletonRows rows={6} />
      </QueryState>
      <Problem error={save.error} nameOf={(at) => save.variables?.[at] && nameOf(save.variables[at].row)} />
      {conflict && (
        <Notice tone="warn" state="review">
          {t('admin.edit.conflict')}
        </Notice>
      )}
      {query.data && !reviewing && (
        <>
          <Sheet label={title} rows={rows} fields={fields} nameOf={nameOf} drafts={drafts} onChange={setDrafts} />
          <p className={common.quiet}>
            {t('admin.edit.keys')} {hint}
          </p>
        </>
      )}
      {reviewing && (
        <>
          {faults > 0 && <Notice tone="bad">{t('admin.edit.faults', { n: faults })}</Notice>}
          <Differences differences={differences} nameOf={nameOf} />
          <p className={common.quiet}>{t('admin.edit.all-or-none')}</p>
        </>
      )}
    </Modal>
  );
}
