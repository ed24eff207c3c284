import { ACCOUNT_NAME, type CallOptions } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { Btc, Button, Facts, useFormat } from '@pool/shared/ui/core';
import { NumberField, pageHeading, TextField, useFormMutation } from '@pool/shared/ui/form';
import { FormDialog, Modal } from '@pool/shared/ui/overlay';
import common from '@pool/shared/ui/common.module.css';
import { useState } from 'react';
import type { BonusRequest } from './bonus-page';

type Decision = CallOptions<'PUT /admin/bonusRequests'>['body'];
const MOST_SAT = 1_000_000;

type Props = { request: BonusRequest; onClose(): void };

export const BonusDialog = (props: Props) =>
  props.request.status === 'new' ? <Decide {...props} /> : <Decided {...props} />;

function useRows({ at, source }: BonusRequest) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  return {
    asked: [
      { label: t('admin.bonus.col.asked'), value: moment(at) },
      { label: t('admin.bonus.col.source'), value: source },
    ],
    outcome: ({ account, amountSat, note }: Pick<BonusRequest, 'account' | 'amountSat' | 'note'>) => [
      { label: t('admin.bonus.col.account'), value: account },
      { label: t('admin.bonus.amount'), value: <Btc sats={amountSat} /> },
      { label: t('admin.note'), value: note },
    ],
  };
}

function Decided({ request, onClose }: Props) {
  const { t } = useTranslation();
  const { asked, outcome } = useRows(request);
  return (
    <Modal open title={request.email} onCancel={onClose} footer={<Button onClick={onClose}>{t('admin.close')}</Button>}>
      <Facts
        rows={[
          ...asked,
          { label: t('admin.bonus.col.state'), value: t(`admin.bonus.${request.status}`) },
          ...outcome(request),
          { label: t('admin.bonus.col.by'), value: request.by },
        ]}
      />
    </Modal>
  );
}

function Decide({ request, onClose }: Props) {
  const { t } = useTranslation();
  const { asked, outcome } = useRows(request);
  const [account, setAccount] = useState(request.account ?? '');
  const [amountSat, setAmountSat] = useState<number | null>(null);
  const [note, setNote] = useState('');
  const [reviewing, setReviewing] = useState(false);
  const name = account.trim();
  const words = note.trim();
  const decide = useFormMutation({
    send: (api, body: Decision) => api('PUT /admin/bonusRequests', { query: { id: request.id }, body }),
    reads: [['admin']],
    said: () => t(reviewing ? 'admin.bonus.done.granted' : 'admin.bonus.done.refused', { account: name }),
    onDone: onClose,
    focus: pageHeading,
  });
  const grant = () =>
    decide.mutate({
      status: 'granted',
      account: name,
      amountSat: amountSat ?? 0,
      ...(words ? { note: words } : {}),
    });
  const refuse = () => decide.mutate({ status: 'refused', note: words });
  const isOwner = request.account !== null && name === request.account;
  return (
    <FormDialog
      title={reviewing ? t('admin.bonus.grant-title') : request.email}
      okText={t(reviewing ? 'admin.bonus.grant' : 'admin.bonus.review')}
      ready={ACCOUNT_NAME.test(name) && amountSat !== null && amountSat > 0}
      change={decide}
      onSubmit={() => (reviewing ? grant() : setReviewing(true))}
      onCancel={() => (reviewing ? setReviewing(false) : onClose())}
    >
      {reviewing ? (
        <>
          <Facts
            rows={[
              { label: t('admin.bonus.col.email'), value: request.email },
              ...outcome({ account: name, amountSat, note: words }),
            ]}
          />
          <p className={common.quiet}>{t('admin.bonus.means')}</p>
        </>
      ) : (
        <>
          <Facts rows={asked} />
          <TextField
            isCode
            label={t('admin.bonus.col.account')}
            hint={
              isOwner ? t('admin.bonus.same-email') : request.account === null ? t('admin.bonus.no-user') : undefined
            }
            maxLength={32}
            value={account}
            onChange={setAccount}
          />
          <NumberField
            isWhole
            label={t('admin.bonus.amount')}
            hint={t('admin.bonus.amount-help')}
            min={1}
            max={MOST_SAT}
            suffix="sat"
            value={amountSat}
            onChange={setAmountSat}
          />
          <TextField label={t('admin.note')} maxLength={300} value={note} onChange={setNote} />
          <div>
            <Button
              danger
              size="small"
              disabled={!words}
              loading={decide.isPending}
              title={words ? undefined : t('admin.note.needed')}
              onClick={refuse}
            >
              {t('admin.bonus.refuse')}
            </Button>
          </div>
        </>
      )}
    </FormDialog>
  );
}
