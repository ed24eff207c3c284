import type { Answer } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { lazyPart } from '@pool/shared/remote';
import { oneOf, shortText, useUrlState } from '@pool/shared/router';
import { Btc, DASH, Empty, Segmented, StateGlyph, TimeAgo, useNarrow, type StateName } from '@pool/shared/ui/core';
import { SearchBox } from '@pool/shared/ui/form';
import { useRows, type DataColumn } from '@pool/shared/ui/table';
import common from '@pool/shared/ui/common.module.css';
import { useMemo } from 'react';
import { useList } from '../../api/reads';
import { Page } from '../../parts/page';
import { PagedTable } from '../../parts/paged-table';
import parts from '../../parts/parts.module.css';

const BonusDialog = lazyPart([], async () => (await import('./bonus-dialog')).BonusDialog, null);

export type BonusRequest = Answer<'GET /admin/bonusRequests'>['rows'][number];
const STATUSES = ['new', 'granted', 'refused'] as const;
const PLACE = { status: oneOf(STATUSES, 'new'), q: shortText, request: shortText };
const GLYPHS: Record<BonusRequest['status'], StateName> = {
  new: 'pending',
  granted: 'confirmed',
  refused: 'cancelled',
};

/** Visitors who asked for the welcome bonus: an admin grants it to an account, or refuses. */
export function BonusPage() {
  const { t } = useTranslation();
  const narrow = useNarrow();
  const [{ status, q: search, request }, set] = useUrlState(PLACE);
  const filter = { status, search };
  const query = useList(['admin', 'bonus', filter], (api, { signal, ...part }) =>
    api('GET /admin/bonusRequests', { query: { ...filter, ...part }, signal }),
  );
  const columns = useMemo((): DataColumn<BonusRequest>[] => {
    const title = (key: string) => ({ key, title: t(`admin.bonus.col.${key}`) });
    return [
      { ...title('email'), width: 260, names: true, render: (row) => row.email },
      { ...title('asked'), width: 120, render: (row) => <Asked row={row} /> },
      { ...title('source'), width: 140, drop: 2, render: (row) => row.source },
      { ...title('account'), width: 140, render: (row) => row.account ?? DASH },
      { ...title('state'), width: 260, wraps: true, render: (row) => <State row={row} /> },
      { ...title('by'), width: 120, drop: 1, render: (row) => row.by ?? DASH },
    ];
  }, [t]);
  const opened = useRows(query)?.find(({ id }) => String(id) === request);
  return (
    <Page money="bonus" error={query.error} title={t('admin.money.bonus')} sub={t('admin.bonus.what')}>
      <div className={parts.controls}>
        <Segmented
          size={narrow ? 'large' : 'middle'}
          aria-label={t('admin.bonus.status')}
          value={status}
          onChange={(next: BonusRequest['status']) => set({ status: next })}
          options={STATUSES.map((name) => ({ value: name, label: t(`admin.bonus.${name}`) }))}
        />
        <SearchBox value={search} label={t('admin.bonus.search')} onSearch={(q, how) => set({ q }, how)} />
      </div>
      <PagedTable
        query={query}
        label={t('admin.money.bonus')}
        columns={columns}
        onOpen={(row) => set({ request: String(row.id) })}
        activeKey={opened?.id}
        empty={<Empty title={t('admin.bonus.none')} />}
      />
      {opened && <BonusDialog key={opened.id} request={opened} onClose={() => set({ request: undefined })} />}
    </Page>
  );
}

const Asked = ({ row }: { row: BonusRequest }) => <TimeAgo at={Date.parse(row.at) / 1000} />;

function State({ row: { status, amountSat, note } }: { row: BonusRequest }) {
  const { t } = useTranslation();
  return (
    <span>
      <StateGlyph state={GLYPHS[status]} /> {t(`admin.bonus.${status}`)}
      {amountSat !== null && (
        <>
          {' '}
          <Btc sats={amountSat} />
        </>
      )}
      {note !== null && (
        <span className={common.quiet}>
          {' '}
          · <bdi>{note}</bdi>
        </span>
      )}
    </span>
  );
}
