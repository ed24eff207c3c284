import { useTranslation } from '@pool/shared/i18n';
import { Btc, Facts, Notice, useFormat } from '@pool/shared/ui/core';
import { NumberField, TextField } from '@pool/shared/ui/form';
import { FormDialog } from '@pool/shared/ui/overlay';
import common from '@pool/shared/ui/common.module.css';
import { useState } from 'react';
import { useMovePayments, type AdminPayment } from '../../api/payments';
import { Worth } from './columns';
import parts from '../../parts/parts.module.css';
import { addressesOf, changesOf, isDangerous, RULES, sortOut, totalOf, type Move, type Mover } from './moves';

const TXID = /^[0-9a-f]{64}$/i;
const MOST_NOTE = 300;
const NAMED = 5;

type Props = {
  move: Move;
  payments: readonly AdminPayment[];
  mover: Mover;
  price: number | undefined;
  onClose(): void;
  onDone(): void;
};

/**
 * Asks again before payments are changed: how many, the total, the addresses, and what is left out and why. `payments`
 * are the newest known ones: what somebody else has moved meanwhile is no longer among them.
 */
export function MoveDialog({ move, payments, mover, price, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const { btc } = useFormat();
  const change = useMovePayments({
    said: ({ changed, totalSat }) =>
      t(move === 'approve' ? 'admin.payments.approved' : 'admin.payments.done', {
        count: changed,
        amount: btc(totalSat),
      }),
    onDone,
  });
  const [note, setNote] = useState('');
  const [txid, setTxid] = useState('');
  const [feeSat, setFeeSat] = useState<number | null>(null);
  const { moving, left } = sortOut(payments, move, mover);
  // Somebody else did it, or a request of ours whose answer was lost.
  const allMoved = moving.length + left.length === 0;
  const rule = RULES[move];
  const sends = rule.to === 'sent';
  const total = totalOf(moving);
  const complete =
    moving.length > 0 && (!sends || TXID.test(txid.trim())) && (rule.note !== 'needed' || note.trim() !== '');
  const submit = () =>
    change.mutate(changesOf(moving, move, { note, txid: txid.trim().toLowerCase(), feeSat: feeSat ?? undefined }));
  return (
    <FormDialog
      title={t(`admin.payments.ask.${move}`)}
      okText={t(`admin.payments.ok.${move}`, { n: moving.length })}
      danger={isDangerous(move)}
      ready={complete}
      change={{ isPending: change.isPending, error: allMoved ? null : change.error }}
      nameOf={(row) => {
        const id = change.variables?.[row]?.id;
        const payment = payments.find((each) => each.id === id);
        return id === undefined ? undefined : `${id} ${payment?.account ?? ''}`;
      }}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Facts
        rows={[
          { label: t('admin.payments.number'), value: moving.length },
          { label: t('admin.payments.total'), value: <Btc sats={total} /> },
          { label: t('admin.payments.value'), value: <Worth of={moving} price={price} /> },
          { label: t('admin.payments.to'), value: t('admin.payments.addresses', { count: addressesOf(moving) }) },
        ]}
      />
      {left.length > 0 && (
        <Notice tone="warn" state="review">
          {t('admin.payments.left-out', { n: left.length })}
          <ul className={parts.notes}>
            {left.slice(0, NAMED).map(({ payment, why }) => (
              <li key={payment.id}>
                <LeftOut payment={payment} why={why} />
              </li>
            ))}
            {left.length > NAMED && <li>{t('admin.payments.and-more', { n: left.length - NAMED })}</li>}
          </ul>
        </Notice>
      )}
      <p className={common.quiet}>{t(`admin.payments.means.${move}`)}</p>
      {sends && (
        <>
          <TextField
            isCode
            label={t('admin.payments.col.txid')}
            hint={t('admin.payments.txid-help')}
            maxLength={64}
            value={txid}
            status={txid && !TXID.test(txid.trim()) ? 'error' : undefined}
            onChange={(text) => setTxid(text.trim())}
          />
          {move === 'send' && (
            <NumberField
              isWhole
              label={t('admin.payments.fee')}
              hint={t('admin.payments.fee-help')}
              min={0}
              max={100_000_000}
              suffix="sat"
              value={feeSat}
              onChange={setFeeSat}
            />
          )}
        </>
      )}
      {rule.note && (
        <TextField
          label={t(rule.note === 'needed' ? 'admin.note.needed' : 'admin.note.optional')}
          maxLength={MOST_NOTE}
          value={note}
          onChange={setNote}
        />
      )}
      {allMoved && !change.isPending && <Notice tone="info">{t('admin.payments.nothing-left')}</Notice>}
    </FormDialog>
  );
}

function LeftOut({ payment, why }: ReturnType<typeof sortOut>['left'][number]) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  return (
    <>
      <bdi>{payment.account}</bdi>, <Btc sats={payment.amountSat} />:{' '}
      {why === 'address_hold' && payment.heldUntil !== null
        ? t('admin.payments.held-until', { until: moment(payment.heldUntil) })
        : t(`admin.payments.reason.${why}`)}
    </>
  );
}
