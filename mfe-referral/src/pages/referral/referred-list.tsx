import { useTranslation } from '@pool/shared/i18n';
import { Btc, Empty, Gift, Hashrate, StateMark, useFormat } from '@pool/shared/ui/core';
import { Newest, QueryTable, type DataColumn } from '@pool/shared/ui/table';
import { useMemo } from 'react';
import { useReferred, type Referred } from '../../api/lists';

const State = ({ row }: { row: Referred }) => <StateMark state={row.active ? 'active' : 'inactive'} />;

function Joined({ row: { joinedAt } }: { row: Referred }) {
  const { day } = useFormat();
  return <time dateTime={joinedAt}>{day(joinedAt, true)}</time>;
}

export function ReferredList({ hasCode }: { hasCode: boolean }) {
  const { t } = useTranslation();
  const columns = useMemo((): DataColumn<Referred>[] => {
    const title = (key: string) => ({ key, title: t(`referral.col.${key}`) });
    return [
      { ...title('name'), width: 110, names: true, render: (row) => row.name },
      { ...title('joined'), width: 110, render: (row) => <Joined row={row} /> },
      { ...title('state'), width: 116, render: (row) => <State row={row} /> },
      { ...title('hashrate'), width: 116, numeric: true, render: (row) => <Hashrate hs={row.hashrate24h} /> },
      { ...title('earned'), width: 140, numeric: true, render: (row) => <Btc bare sats={row.earnedSat} /> },
    ];
  }, [t]);
  const said = hasCode ? 'referral.empty' : 'referral.empty-no-code';
  const query = useReferred();
  return (
    <>
      <QueryTable
        query={query}
        label={t('referral.list')}
        columns={columns}
        rowKey={keyOf}
        empty={
          <Empty icon={<Gift size={24} />} title={t(said)}>
            {t(`${said}-hint`)}
          </Empty>
        }
      />
      <Newest of="referred" rows={query.data} />
    </>
  );
}

// Masked names repeat, but not with the same millisecond of joining.
const keyOf = (row: Referred) => `${row.name}/${row.joinedAt}`;
