import { useTranslation } from '@pool/shared/i18n';
import { Btc, Button, CopyButton, csvTable, Download, downloadCsv, Notice, Segmented } from '@pool/shared/ui/core';
import { Input } from '@pool/shared/ui/form';
import { Modal } from '@pool/shared/ui/overlay';
import common from '@pool/shared/ui/common.module.css';
import { useState } from 'react';
import type { AdminPayment } from '../../api/payments';
import { COMMANDS, CSV, EXPORTS, type ExportKind } from './exports';
import { addressesOf, totalOf } from './moves';
import parts from '../../parts/parts.module.css';

type Props = {
  payments: readonly AdminPayment[];
  onClose(): void;
  /** Asks whether these were given to a node, which is what comes next. */
  onHand(payable: readonly AdminPayment[]): void;
};

/** Commands for a Bitcoin node. Only approved payments that no node has yet are in them, without those on hold. */
export function ExportDialog({ payments, onClose, onHand }: Props) {
  const { t } = useTranslation();
  const [kind, setKind] = useState<ExportKind>('sendmany');
  const payable = payments.filter(
    ({ status, heldUntil, address }) => status === 'queued' && heldUntil === null && address !== null,
  );
  const text = COMMANDS[kind](payable);
  return (
    <Modal
      open
      title={t('admin.payments.export-title')}
      onCancel={onClose}
      footer={
        <>
          <Button icon={<Download />} onClick={() => downloadCsv('payments.csv', ...csvTable(CSV, payments))}>
            {t('admin.csv')}
          </Button>
          <Button onClick={onClose}>{t('admin.close')}</Button>
          {payable.length > 0 && (
            <Button type="primary" onClick={() => onHand(payable)}>
              {t('admin.payments.do.hand')}
            </Button>
          )}
        </>
      }
    >
      {payable.length < payments.length && (
        <Notice tone="warn" state="review">
          {t('admin.payments.export-left', { n: payments.length - payable.length })}
        </Notice>
      )}
      {payable.length > 0 && (
        <>
          <Segmented
            aria-label={t('admin.payments.export-title')}
            value={kind}
            onChange={(next: ExportKind) => setKind(next)}
            options={EXPORTS.map((name) => ({ value: name, label: t(`admin.payments.export.${name}`) }))}
          />
          <p>
            {t('admin.payments.count', { n: payable.length })} · <Btc sats={totalOf(payable)} />{' '}
            {t('admin.payments.addresses', { count: addressesOf(payable) })}{' '}
            <CopyButton value={text} label={t('admin.payments.command')} />
          </p>
          <Input.TextArea
            readOnly
            dir="ltr"
            rows={8}
            className={parts.code}
            aria-label={t('admin.payments.command')}
            value={text}
          />
          <p className={common.quiet}>{t('admin.payments.export-next')}</p>
        </>
      )}
    </Modal>
  );
}
