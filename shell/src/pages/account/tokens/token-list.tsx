import type { AccessToken } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useQuery } from '@pool/shared/query';
import { useApi } from '@pool/shared/remote';
import {
  Button,
  Empty,
  Facts,
  QueryError,
  StateGlyph,
  TimeAgo,
  useConfirm,
  useFormat,
  useNow,
} from '@pool/shared/ui/core';
import { IfMayEdit, pageHeading, Problem, useFormMutation, useMayEdit } from '@pool/shared/ui/form';
import { DataTable, type DataColumn } from '@pool/shared/ui/table';
import { useMemo, type ReactNode } from 'react';
import styles from '../form.module.css';
import { ListSection } from '../list-section';
import type { TokenKind } from './kinds';

const keyOf = ({ id }: AccessToken) => id;

/** `extra`: a control at the end of its heading's line. */
export function TokenList({ kind, extra }: { kind: TokenKind; extra?: ReactNode }) {
  const { t } = useTranslation();
  const api = useApi();
  const tokens = useQuery({ queryKey: [kind.name], queryFn: ({ signal }) => kind.list(api, signal) });
  const columns = useColumns(kind);
  return (
    <ListSection title={t(`account.${kind.name}.list`)} extra={extra}>
      <QueryError query={tokens} />
      {(tokens.data || !tokens.error) && (
        <DataTable
          label={t(`account.${kind.name}.list`)}
          columns={columns}
          rows={tokens.data ?? []}
          rowKey={keyOf}
          loading={tokens.isPending}
          empty={<Empty title={t(`account.${kind.name}.empty`)}>{t(`account.${kind.name}.emptyHint`)}</Empty>}
          card={(row) => <Card kind={kind} row={row} />}
        />
      )}
    </ListSection>
  );
}

function Scopes({ row }: { row: AccessToken }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  return <>{new Intl.ListFormat(language).format(row.scopes.map((scope) => t(`account.scope.${scope}`)))}</>;
}

function Expiry({ row: { expiresAt } }: { row: AccessToken }) {
  const { t } = useTranslation();
  const { day } = useFormat();
  const now = useNow();
  if (expiresAt === null) return <>{t('account.token.never')}</>;
  const over = Date.parse(expiresAt) <= now * 1000;
  return (
    <span>
      {over && <StateGlyph state="offline" />} <time dateTime={expiresAt}>{day(expiresAt, true)}</time>
      {over && ` · ${t('account.token.expired')}`}
    </span>
  );
}

const LastUse = ({ row: { lastUsedAt } }: { row: AccessToken }) => (
  <TimeAgo at={lastUsedAt === null ? null : Date.parse(lastUsedAt) / 1000} />
);

function Revoke({ kind, row }: { kind: TokenKind; row: AccessToken }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const revoke = useFormMutation({
    send: (api) => kind.revoke(api, row.id),
    said: () => t('account.token.revoked', { name: row.name }),
    reads: [[kind.name]],
    focus: pageHeading,
  });
  return (
    <>
      <Button
        size="small"
        loading={revoke.isPending}
        aria-label={`${t('account.token.revoke')}: ${row.name}`}
        onClick={() =>
          confirm({
            title: t('account.token.revokeTitle', { name: row.name }),
            content: t(`account.${kind.name}.revokeText`),
            okText: t('account.token.revoke'),
            cancelText: t('account.cancel'),
            onOk: () => revoke.mutate(),
          })
        }
      >
        {t('account.token.revoke')}
      </Button>
      <Problem error={revoke.error} />
    </>
  );
}

function useColumns(kind: TokenKind): DataColumn<AccessToken>[] {
  const { t } = useTranslation();
  const { day } = useFormat();
  const mayEdit = useMayEdit();
  return useMemo(() => {
    const columns: DataColumn<AccessToken>[] = [
      {
        key: 'name',
        title: t('account.token.name'),
        width: 180,
        names: true,
        wraps: true,
        render: (row) => <bdi className={styles.strong}>{row.name}</bdi>,
      },
      {
        key: 'prefix',
        title: t('account.token.prefix'),
        width: 110,
        drop: 3,
        render: (row) => <bdi dir="ltr" className={styles.quiet}>{`${row.prefix}…`}</bdi>,
      },
      {
        key: 'scopes',
        title: t('account.token.scopes'),
        width: 200,
        wraps: true,
        render: (row) => <Scopes row={row} />,
      },
      {
        key: 'created',
        title: t('account.token.created'),
        width: 120,
        drop: 2,
        render: (row) => <time dateTime={row.createdAt}>{day(row.createdAt, true)}</time>,
      },
      {
        key: 'expires',
        title: t('account.token.expires'),
        width: 150,
        wraps: true,
        render: (row) => <Expiry row={row} />,
      },
      { key: 'used', title: t('account.token.used'), width: 120, drop: 1, render: (row) => <LastUse row={row} /> },
      { key: 'actions', title: t('account.actions'), width: 120, render: (row) => <Revoke kind={kind} row={row} /> },
    ];
    return mayEdit ? columns : columns.slice(0, -1);
  }, [t, day, kind, mayEdit]);
}

function Card({ kind, row }: { kind: TokenKind; row: AccessToken }) {
  const { t } = useTranslation();
  return (
    <div className={styles.card}>
      <div className={styles.cardHead}>
        <bdi className={styles.strong}>{row.name}</bdi>
        <IfMayEdit>
          <Revoke kind={kind} row={row} />
        </IfMayEdit>
      </div>
      <Facts
        rows={[
          { key: 'scopes', label: t('account.token.scopes'), value: <Scopes row={row} /> },
          { key: 'expires', label: t('account.token.expires'), value: <Expiry row={row} /> },
          { key: 'used', label: t('account.token.used'), value: <LastUse row={row} /> },
        ]}
      />
    </div>
  );
}
