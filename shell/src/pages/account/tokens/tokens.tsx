import { useTranslation } from '@pool/shared/i18n';
import { Button, Empty, StateGlyph, TimeAgo, useFormat, useNow } from '@pool/shared/ui/core';
import { ActionButton, useMayEdit, pageHeading } from '@pool/shared/ui/form';
import { useState, type ReactNode, useMemo } from 'react';
import { ShownOnce, ListSection, MadeBy } from '../parts';
import { tokensQuery, type MadeToken, type TokenKind } from './kinds';
import { NewTokenDialog } from './new-token-dialog';
import type { AccessToken } from '@pool/shared';
import { useQuery } from '@pool/shared/query';
import { useApi } from '@pool/shared/remote';
import { QueryTable, idOf, type DataColumn } from '@pool/shared/ui/table';
import common from '@pool/shared/ui/common.module.css';

/** `shown`: what is done with a new token, which is shown this once. */
export function Tokens({ kind, shown }: { kind: TokenKind; shown(made: MadeToken): ReactNode }) {
  const { t } = useTranslation();
  const mayEdit = useMayEdit('access');
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<MadeToken | null>(null);
  return (
    <>
      <TokenList
        kind={kind}
        extra={
          mayEdit && (
            <Button type="primary" onClick={() => setMaking(true)}>
              {t(`account.${kind.name}.new`)}
            </Button>
          )
        }
      />
      {making && (
        <NewTokenDialog
          kind={kind}
          onMade={(token) => {
            setMaking(false);
            setMade(token);
          }}
          onClose={() => setMaking(false)}
        />
      )}
      {made && (
        <ShownOnce
          title={made.name}
          said={t(`account.${kind.name}.once`)}
          done={t('account.token.done')}
          onClose={() => setMade(null)}
        >
          {shown(made)}
        </ShownOnce>
      )}
    </>
  );
}

/** `extra`: a control at the end of its heading's line. */
function TokenList({ kind, extra }: { kind: TokenKind; extra?: ReactNode }) {
  const { t } = useTranslation();
  const tokens = useQuery(tokensQuery(useApi(), kind));
  const columns = useColumns(kind);
  return (
    <ListSection title={t(`account.${kind.name}.list`)} extra={extra}>
      <QueryTable
        query={tokens}
        label={t(`account.${kind.name}.list`)}
        columns={columns}
        rowKey={idOf}
        empty={<Empty title={t(`account.${kind.name}.empty`)}>{t(`account.${kind.name}.emptyHint`)}</Empty>}
      />
    </ListSection>
  );
}

function Scopes({ row }: { row: AccessToken }) {
  const { t } = useTranslation();
  const { list } = useFormat();
  return <>{list(row.scopes.map((scope) => t(`account.scope.${scope}`)))}</>;
}

function Day({ at }: { at: string }) {
  const { day } = useFormat();
  return <time dateTime={at}>{day(at, true)}</time>;
}

function Expiry({ row: { expiresAt } }: { row: AccessToken }) {
  const { t } = useTranslation();
  const now = useNow();
  if (expiresAt === null) return <span>{t('account.token.never')}</span>;
  const over = Date.parse(expiresAt) <= now * 1000;
  return (
    <span>
      {over && <StateGlyph state="offline" />}
      <span>
        {' '}
        <Day at={expiresAt} />
      </span>
      {over && <span> · {t('account.token.expired')}</span>}
    </span>
  );
}

function Revoke({ kind, row: { id, name } }: { kind: TokenKind; row: AccessToken }) {
  const { t } = useTranslation();
  return (
    <ActionButton
      size="small"
      text={t('account.token.revoke')}
      of={name}
      question={{ title: t('account.token.revokeTitle', { name }), content: t(`account.${kind.name}.revokeText`) }}
      send={(api) => kind.revoke(api, id)}
      said={() => t('account.token.revoked', { name })}
      reads={[[kind.name]]}
      focus={pageHeading}
    />
  );
}

function useColumns(kind: TokenKind): DataColumn<AccessToken>[] {
  const { t } = useTranslation();
  const mayEdit = useMayEdit('access');
  return useMemo(() => {
    const title = (key: string) => ({ key, title: t(`account.token.${key}`) });
    const columns: DataColumn<AccessToken>[] = [
      {
        ...title('name'),
        width: 180,
        names: true,
        wraps: true,
        render: ({ name, by }) => (
          <span>
            <bdi className={common.strong}>{name}</bdi>
            {by !== undefined && <MadeBy name={by} />}
          </span>
        ),
      },
      {
        ...title('prefix'),
        width: 110,
        drop: 3,
        className: common.quiet,
        render: ({ prefix }) => <bdi dir="ltr">{prefix}…</bdi>,
      },
      { ...title('scopes'), width: 200, wraps: true, render: (row) => <Scopes row={row} /> },
      { ...title('created'), width: 120, drop: 2, render: (row) => <Day at={row.createdAt} /> },
      { ...title('expires'), width: 150, wraps: true, render: (row) => <Expiry row={row} /> },
      {
        ...title('used'),
        width: 120,
        drop: 1,
        render: ({ lastUsedAt }) => <TimeAgo at={lastUsedAt === null ? null : Date.parse(lastUsedAt) / 1000} />,
      },
      { key: 'actions', title: t('account.actions'), width: 120, render: (row) => <Revoke kind={kind} row={row} /> },
    ];
    return mayEdit ? columns : columns.slice(0, -1);
  }, [t, kind, mayEdit]);
}
