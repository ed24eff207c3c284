import { useTranslation } from '@pool/shared/i18n';
import { lazyPart, useBtcPrice, useSession } from '@pool/shared/remote';
import { oneOf, shortText, useUrlState } from '@pool/shared/router';
import { Btc, Button, Dropdown, Empty, Segmented, SlidersHorizontal, useNarrow } from '@pool/shared/ui/core';
import { SearchBox } from '@pool/shared/ui/form';
import { useRows, ShortenedText } from '@pool/shared/ui/table';
import { WaitingChanges } from '@pool/shared/ui/waiting';
import common from '@pool/shared/ui/common.module.css';
import { useState } from 'react';
import { usePayments, usePaymentSettings, type Status, type AdminPayment } from '../../api/payments';
import { Page } from '../../parts/page';
import { PagedTable } from '../../parts/paged-table';
import parts from '../../parts/parts.module.css';
import { BulkBar } from './bulk-bar';
import { useColumns, Age, Payee, PaymentState, Worth } from './columns';
import type { Move } from './moves';
import { WaitingRun } from './waiting-run';

function PaymentCard({ payment, price }: { payment: AdminPayment; price: number | undefined }) {
  return (
    <div className={common.card}>
      <Payee payment={payment} />
      <Btc sats={payment.amountSat} />
      <span className={common.quiet}>
        <ShortenedText text={payment.address} />
      </span>
      <span className={common.quiet}>
        <Worth of={[payment]} price={price} />
      </span>
      <PaymentState payment={payment} />
      <Age at={payment.sentAt ?? payment.createdAt} waiting={payment.sentAt === null} />
    </div>
  );
}

const PaymentDrawer = lazyPart([], async () => (await import('./payment-drawer')).PaymentDrawer, null);
const MoveDialog = lazyPart([], async () => (await import('./move-dialog')).MoveDialog, null);
const ExportDialog = lazyPart([], async () => (await import('./export-dialog')).ExportDialog, null);
const ImportDialog = lazyPart([], async () => (await import('./import-dialog')).ImportDialog, null);
const CalculationDialog = lazyPart([], async () => (await import('./calculation-dialog')).CalculationDialog, null);
const RulesDialog = lazyPart([], async () => (await import('./rules-dialog')).RulesDialog, null);

const STATUSES = ['pending', 'queued', 'unknown', 'sent', 'confirmed', 'failed', 'cancelled'] as const;
/** Work that waits for somebody: the oldest comes first. */
const WAITING: readonly Status[] = ['pending', 'queued', 'unknown', 'failed'];
const MOST = 500;
const PLACE = { status: oneOf(STATUSES, 'pending'), q: shortText, payment: shortText };

type Dialog = { move: Move; ids: readonly number[] } | 'export' | 'import' | 'calculation' | 'rules' | null;

export const PaymentsPage = () => <Payments kind="all" />;
export const ReferralPaymentsPage = () => <Payments kind="referral" />;

function Payments({ kind }: { kind: 'all' | 'referral' }) {
  const { t } = useTranslation();
  const narrow = useNarrow();
  const [{ status, q: search, payment }, set] = useUrlState(PLACE);
  const query = usePayments({ kind, status, search, order: WAITING.includes(status) ? 'oldest' : 'newest' });
  const rows = useRows(query);
  const price = useBtcPrice().data?.price;
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [dialog, setDialog] = useState<Dialog>(null);
  const columns = useColumns(price, WAITING.includes(status));
  const sums = query.data?.pages.at(-1)?.sums;
  const sumOf = (name: Status) => sums?.find((sum) => sum.status === name) ?? { count: 0, totalSat: 0 };
  const selected = (rows ?? []).filter(({ id }) => chosen.includes(id));
  const opened = rows?.find(({ id }) => String(id) === payment);
  const tab = kind === 'referral' ? 'referral' : 'payments';
  const searchBox = (
    <SearchBox value={search} label={t('admin.payments.search')} onSearch={(q, how) => set({ q }, how)} />
  );
  return (
    <Page
      money={tab}
      error={query.error}
      title={t(tab === 'payments' ? 'admin.nav.payments' : `admin.money.${tab}`)}
      sub={
        <>
          {t('admin.payments.count', { n: sumOf(status).count })} · <Btc sats={sumOf(status).totalSat} /> ·{' '}
          {t(`admin.payments.about.${status}`)}
        </>
      }
      actions={
        <>
          {!narrow && searchBox}
          <Button onClick={() => setDialog('calculation')}>{t('admin.payments.calculate')}</Button>
          <Dropdown
            menu={{
              items: [
                { key: 'import', label: t('admin.payments.import'), onClick: () => setDialog('import') },
                { key: 'rules', label: t('admin.payments.rules'), onClick: () => setDialog('rules') },
              ],
            }}
          >
            <Button icon={<SlidersHorizontal />} aria-label={t('admin.payments.more')} />
          </Dropdown>
        </>
      }
    >
      <WaitingRun />
      <WaitingChanges kinds={['payment_failed', 'one_admin']} />
      {narrow && searchBox}
      <div className={parts.scroll}>
        <Segmented
          size={narrow ? 'large' : 'middle'}
          aria-label={t('admin.payments.status')}
          value={status}
          onChange={(next: Status) => {
            setChosen([]);
            set({ status: next, payment: undefined });
          }}
          options={STATUSES.map((name) => ({
            value: name,
            label: (
              <>
                {t(`ui.state.${name}`)}
                <span className={parts.count}>{sumOf(name).count}</span>
              </>
            ),
          }))}
        />
      </div>
      <PagedTable
        query={query}
        label={t('admin.money.payments')}
        columns={columns}
        card={(row) => <PaymentCard payment={row} price={price} />}
        selection={{ keys: chosen, onChange: (keys) => setChosen(keys.map(Number).slice(0, MOST)) }}
        onOpen={(row) => set({ payment: String(row.id) })}
        activeKey={opened?.id}
        empty={
          <Empty
            title={t(search ? 'admin.payments.none-found' : 'admin.payments.none')}
            action={search && <Button onClick={() => set({ q: undefined })}>{t('admin.clear')}</Button>}
          />
        }
      />
      {selected.length > 0 && (
        <BulkBar
          payments={selected}
          price={price}
          onMove={(move) => setDialog({ move, ids: selected.map(({ id }) => id) })}
          onExport={() => setDialog('export')}
          onClear={() => setChosen([])}
        />
      )}
      {opened && (
        <PaymentDrawer
          payment={opened}
          price={price}
          onMove={(move) => setDialog({ move, ids: [opened.id] })}
          onClose={() => set({ payment: undefined })}
        />
      )}
      <Dialogs
        dialog={dialog}
        rows={rows ?? []}
        selected={selected}
        price={price}
        onDialog={setDialog}
        onMoved={() => {
          setChosen([]);
          set({ payment: undefined });
          setDialog(null);
        }}
      />
    </Page>
  );
}

type DialogsProps = {
  dialog: Dialog;
  rows: readonly AdminPayment[];
  selected: readonly AdminPayment[];
  price: number | undefined;
  onDialog(dialog: Dialog): void;
  onMoved(): void;
};

function Dialogs({ dialog, rows, selected, price, onDialog, onMoved }: DialogsProps) {
  const { userName } = useSession();
  const mover = { userName, fourEyes: usePaymentSettings().data?.fourEyes ?? false };
  const close = () => onDialog(null);
  if (dialog === 'export') {
    const hand = (payable: readonly AdminPayment[]) => onDialog({ move: 'hand', ids: payable.map(({ id }) => id) });
    return <ExportDialog payments={selected} onClose={close} onHand={hand} />;
  }
  if (dialog === 'import') return <ImportDialog mover={mover} onClose={close} />;
  if (dialog === 'calculation') return <CalculationDialog onClose={close} />;
  if (dialog === 'rules') return <RulesDialog onClose={close} />;
  if (dialog === null) return null;
  const payments = rows.filter(({ id }) => dialog.ids.includes(id));
  return <MoveDialog {...{ move: dialog.move, payments, mover, price }} onClose={close} onDone={onMoved} />;
}
