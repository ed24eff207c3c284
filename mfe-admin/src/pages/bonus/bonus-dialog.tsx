import { ACCOUNT_NAME } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Btc, Button, Facts, useFormat } from '@pool/shared/ui/core';
import { Field, Input, InputNumber, pageHeading, Problem } from '@pool/shared/ui/form';
import { Modal } from '@pool/shared/ui/overlay';
import { useState } from 'react';
import { useDecideBonus, type BonusRequest } from '../../api/bonus';
import parts from '../../parts/parts.module.css';

const MOST_SAT = 1_000_000;

/** One request: grants a bonus to an account, or refuses with a note. A decided one only says what was decided. */
export function BonusDialog({ request, onClose }: { request: BonusRequest; onClose(): void }) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const decide = useDecideBonus({ onDone: onClose, focus: pageHeading });
  const decided = (status: string) => decide.isPending && decide.variables.status === status;
  const [account, setAccount] = useState(request.account ?? '');
  const [amountSat, setAmountSat] = useState<number | null>(null);
  const [note, setNote] = useState('');
  const isNew = request.status === 'new';
  const words = note.trim();
  const grant = () =>
    decide.mutate({
      id: request.id,
      status: 'granted',
      account: account.trim(),
      amountSat: amountSat ?? 0,
      ...(words ? { note: words } : {}),
    });
  const refuse = () => decide.mutate({ id: request.id, status: 'refused', note: words });
  const canGrant = ACCOUNT_NAME.test(account.trim()) && amountSat !== null && amountSat > 0;
  return (
    <Modal
      open
      title={<bdi>{request.email}</bdi>}
      onCancel={onClose}
      footer={
        isNew ? (
          <>
            <Button
              danger
              disabled={!words}
              loading={decided('refused')}
              title={words ? undefined : t('admin.note.needed')}
              onClick={refuse}
            >
              {t('admin.bonus.refuse')}
            </Button>
            <Button type="primary" disabled={!canGrant} loading={decided('granted')} onClick={grant}>
              {canGrant ? (
                <>
                  {t('admin.bonus.grant')} <Btc sats={amountSat} />
                </>
              ) : (
                t('admin.bonus.grant')
              )}
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>{t('admin.close')}</Button>
        )
      }
    >
      <div className={parts.stack}>
        <Facts
          rows={[
            { label: t('admin.bonus.col.asked'), value: moment(request.at) },
            { label: t('admin.bonus.col.source'), value: <bdi dir="ltr">{request.source}</bdi> },
            ...(isNew
              ? []
              : [
                  { label: t('admin.bonus.col.state'), value: t(`admin.bonus.${request.status}`) },
                  { label: t('admin.bonus.col.account'), value: <bdi>{request.account}</bdi> },
                  { label: t('admin.bonus.amount'), value: <Btc sats={request.amountSat} /> },
                  { label: t('admin.bonus.col.by'), value: <bdi>{request.by}</bdi> },
                  { label: t('admin.note'), value: <bdi>{request.note}</bdi> },
                ]),
          ]}
        />
        {isNew && (
          <>
            <p className={parts.quiet}>{t('admin.bonus.means')}</p>
            <Field
              label={t('admin.bonus.col.account')}
              hint={t(request.account === null ? 'admin.bonus.no-user' : 'admin.bonus.same-email')}
            >
              {(props) => (
                <Input
                  {...props}
                  dir="ltr"
                  maxLength={32}
                  autoComplete="off"
                  spellCheck={false}
                  value={account}
                  onChange={(event) => setAccount(event.target.value)}
                />
              )}
            </Field>
            <Field label={t('admin.bonus.amount')} hint={t('admin.bonus.amount-help')}>
              {(props) => (
                <InputNumber
                  {...props}
                  dir="ltr"
                  min={1}
                  max={MOST_SAT}
                  precision={0}
                  controls={false}
                  suffix="sat"
                  style={{ inlineSize: '100%' }}
                  value={amountSat}
                  onChange={(value) => setAmountSat(value)}
                />
              )}
            </Field>
            <Field label={t('admin.note')}>
              {(props) => (
                <Input {...props} maxLength={300} value={note} onChange={(event) => setNote(event.target.value)} />
              )}
            </Field>
          </>
        )}
        <Problem error={decide.error} />
      </div>
    </Modal>
  );
}
