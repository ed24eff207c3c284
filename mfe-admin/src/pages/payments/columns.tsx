import { usdOf } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Btc, Button, StateMark, TimeAgo, Usd, useFormat } from '@pool/shared/ui/core';
import { AMOUNT, ShortenedText, type DataColumn } from '@pool/shared/ui/table';
import common from '@pool/shared/ui/common.module.css';
import { useMemo } from 'react';
import type { AdminPayment, Status } from '../../api/payments';
import { isDangerous, movesFrom, type Move } from './moves';

/** A payment that waits longer is late. */
const LATE_S = 3 * 86_400;
const secondsOf = (iso: string): number => Date.parse(iso) / 1000;

/** `aurora-mines / hall-2`: the user, and the sub-account unless it is the primary one. */
export const Payee = ({ payment: { userName, account } }: { payment: AdminPayment }) => (
  <span>
    <bdi className={common.strong}>{userName}</bdi>
    {account !== userName && (
      <span className={common.quiet}>
        {' / '}
        <bdi>{account}</bdi>
      </span>
    )}
  </span>
);

/** The state, and why a payment waits. A hold that lasts now counts more than the reason of the last calculation. */
export function PaymentState({ payment: { status, reason, heldUntil } }: { payment: AdminPayment }) {
  const { t, i18n } = useTranslation();
  const { moment } = useFormat();
  if (heldUntil !== null && (status === 'pending' || status === 'queued'))
    return (
      <span title={moment(heldUntil)}>
        <StateMark state="review">· {t('admin.payments.reason.address_hold')}</StateMark>
      </span>
    );
  if (reason === null || reason === 'review') return <StateMark state={status} />;
  const key = `admin.payments.reason.${reason}`;
  // A reason the texts do not know is what an admin wrote.
  return (
    <StateMark state={status}>
      · <bdi>{i18n.exists(key) ? t(key) : reason}</bdi>
    </StateMark>
  );
}

export const Age = ({ at, waiting }: { at: string; waiting: boolean }) => (
  <TimeAgo at={secondsOf(at)} lateAfter={waiting ? LATE_S : undefined} bare />
);

/** Dollars of payments: of one that was sent at the price of its day, of the others at `price`. */
export function Worth({ of, price }: { of: readonly AdminPayment[]; price: number | undefined }) {
  const sum = of.reduce((all, { amountSat, usdAtSend }) => all + usdOf(amountSat, usdAtSend ?? price ?? NaN), 0);
  return <Usd usd={Number.isNaN(sum) ? null : sum} />;
}

type MoveButtonsProps = { status: Status; dangerous?: boolean; onMove(move: Move): void };

/** Buttons of the moves from a status, the usual one first; those that are `dangerous` apart, outlined in red. */
export function MoveButtons({ status, dangerous = false, onMove }: MoveButtonsProps) {
  const { t } = useTranslation();
  const [usual] = movesFrom(status);
  const moves = movesFrom(status).filter((move) => isDangerous(move) === dangerous);
  return moves.map((move) => (
    <Button key={move} type={move === usual ? 'primary' : 'default'} danger={dangerous} onClick={() => onMove(move)}>
      {t(`admin.payments.do.${move}`)}
    </Button>
  ));
}

export function useColumns(price: number | undefined, waiting: boolean): DataColumn<AdminPayment>[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const { quiet } = common;
    const title = (key: string) => ({ key, title: t(`admin.payments.col.${key}`) });
    return [
      { ...title('id'), width: 84, drop: 1, className: quiet, render: (row) => row.id },
      { ...title('account'), width: 190, names: true, render: (row) => <Payee payment={row} /> },
      { ...title('amount'), width: AMOUNT, numeric: true, render: (row) => <Btc bare sats={row.amountSat} /> },
      {
        ...title('usd'),
        width: 112,
        drop: 2,
        numeric: true,
        className: quiet,
        render: (row) => <Worth of={[row]} price={price} />,
      },
      { ...title('address'), width: 164, drop: 1, render: (row) => <ShortenedText text={row.address} /> },
      {
        ...title('txid'),
        width: 164,
        drop: waiting ? 3 : undefined,
        render: (row) => <ShortenedText text={row.txid} />,
      },
      {
        ...title('trigger'),
        width: 92,
        drop: 2,
        className: quiet,
        render: (row) => t(`admin.payments.trigger.${row.trigger}`),
      },
      { ...title('status'), width: 190, wraps: true, render: (row) => <PaymentState payment={row} /> },
      {
        ...title(waiting ? 'waiting' : 'age'),
        width: 88,
        numeric: true,
        render: (row) => <Age at={row.sentAt ?? row.createdAt} waiting={waiting} />,
      },
    ];
  }, [t, price, waiting]);
}
