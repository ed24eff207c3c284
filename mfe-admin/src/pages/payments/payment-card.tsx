import { Btc } from '@pool/shared/ui/core';
import { ShortenedText } from '@pool/shared/ui/table';
import type { AdminPayment } from '../../api/payments';
import parts from '../../parts/parts.module.css';
import { Age, Payee, PaymentState, Worth } from './columns';

/** A payment on a phone, with the data of the table's row. */
export function PaymentCard({ payment, price }: { payment: AdminPayment; price: number | undefined }) {
  return (
    <div className={parts.card}>
      <Payee payment={payment} />
      <Btc sats={payment.amountSat} />
      <span className={parts.quiet}>
        <ShortenedText text={payment.address} />
      </span>
      <span className={parts.quiet}>
        <Worth of={[payment]} price={price} />
      </span>
      <PaymentState payment={payment} />
      <Age at={payment.sentAt ?? payment.createdAt} waiting={payment.sentAt === null} />
    </div>
  );
}
