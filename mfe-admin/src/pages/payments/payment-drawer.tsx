import { useTranslation } from '@pool/shared/i18n';
import { Btc, DASH, Facts, formatDays, QueryError, useFormat } from '@pool/shared/ui/core';
import { ShortenedText } from '@pool/shared/ui/table';
import { Drawer } from '@pool/shared/ui/overlay';
import { Link } from '@pool/shared/router';
import common from '@pool/shared/ui/common.module.css';
import { useHistory } from '../../api/audit';
import type { AdminPayment } from '../../api/payments';
import parts from '../../parts/parts.module.css';
import { MoveButtons, Payee, PaymentState, Worth } from './columns';
import { movesFrom, type Move } from './moves';

type Props = { payment: AdminPayment; price: number | undefined; onMove(move: Move): void; onClose(): void };

export function PaymentDrawer({ payment, price, onMove, onClose }: Props) {
  const { t } = useTranslation();
  const { moment, language } = useFormat();
  const row = (name: string, value: React.ReactNode) => ({ label: t(`admin.payments.col.${name}`), value });
  const time = (at: string | null) => (at === null ? DASH : moment(at));
  return (
    <Drawer
      open
      title={t('admin.payments.one', { id: payment.id })}
      onClose={onClose}
      footer={
        movesFrom(payment.status).length > 0 && (
          <>
            <MoveButtons status={payment.status} onMove={onMove} />
            <MoveButtons status={payment.status} onMove={onMove} dangerous />
          </>
        )
      }
    >
      <div className={common.stack}>
        <Facts
          rows={[
            row('account', <Payee payment={payment} />),
            row('status', <PaymentState payment={payment} />),
            row('amount', <Btc bare sats={payment.amountSat} />),
            row('usd', <Worth of={[payment]} price={price} />),
            row('period', formatDays(language, payment.periodFrom, payment.periodTo)),
            row('address', <ShortenedText text={payment.address} label={t('admin.payments.col.address')} />),
            row('held', time(payment.heldUntil)),
            row('txid', <ShortenedText text={payment.txid} label={t('admin.payments.col.txid')} />),
            row('fee', payment.sentAt === null ? DASH : <Btc sats={payment.networkFeeSat} />),
            row('trigger', t(`admin.payments.trigger.${payment.trigger}`)),
            row('created', time(payment.createdAt)),
            row('approved', payment.approvedBy ?? DASH),
            row('sent', time(payment.sentAt)),
            row('confirmed', time(payment.confirmedAt)),
            row('note', payment.note ?? DASH),
          ]}
        />
        <History payment={payment} />
      </div>
    </Drawer>
  );
}

function History({ payment: { id, version } }: { payment: AdminPayment }) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const history = useHistory('payment', String(id), version);
  return (
    <section aria-label={t('admin.payments.history')}>
      <h3>{t('admin.payments.history')}</h3>
      <QueryError query={history} />
      {history.data?.rows.length === 0 && <p className={common.quiet}>{t('admin.payments.no-history')}</p>}
      <ol className={parts.notes}>
        {history.data?.rows.map(({ id: entry, at, action, userName, ip }) => (
          <li key={entry}>
            {t(`ui.state.${action.replace('payment.', '')}`)} · <bdi>{userName ?? DASH}</bdi> ·{' '}
            <time dateTime={at}>{moment(at)}</time> · <bdi dir="ltr">{ip}</bdi>
          </li>
        ))}
      </ol>
      <Link to={`/admin/audit?action=payment&subject=${id}`}>{t('admin.payments.whole-history')}</Link>
    </section>
  );
}
