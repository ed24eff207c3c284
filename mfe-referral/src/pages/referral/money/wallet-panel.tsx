import { ApiError } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useAbility } from '@pool/shared/remote';
import {
  App,
  Button,
  CopyField,
  Loading,
  Notice,
  Panel,
  QueryError,
  Skeleton,
  useFormat,
  useNarrow,
  useNow,
} from '@pool/shared/ui/core';
import { Input, useProblemText } from '@pool/shared/ui/form';
import { useId, useState } from 'react';
import { useReferralWallet, useSetReferralWallet } from '../../../api/wallet';
import styles from './money.module.css';

/** The payout address of referral earnings: set at once, changed with a hold that can be cancelled. */
export function WalletPanel() {
  const { t } = useTranslation();
  const wallet = useReferralWallet();
  const mayEdit = useAbility().can('manage', 'referral');
  const { data, error } = wallet;
  return (
    <Panel title={t('referral.wallet')}>
      <QueryError query={wallet} />
      {!data && !error && (
        <Loading>
          <Skeleton height={80} />
        </Loading>
      )}
      {data && (
        <div className={styles.wallet}>
          {data.walletAddress === null ? (
            <p className={styles.quiet}>{t('referral.wallet.none')}</p>
          ) : (
            <CopyField showLabel label={t('referral.wallet.now')} value={data.walletAddress} />
          )}
          {data.hold && <Hold {...data.hold} mayEdit={mayEdit} />}
          {mayEdit && <AddressForm first={data.walletAddress === null} />}
        </div>
      )}
    </Panel>
  );
}

function Hold({ until, oldAddress, mayEdit }: { until: string; oldAddress: string; mayEdit: boolean }) {
  const { t } = useTranslation();
  const { moment, duration } = useFormat();
  const left = Math.max(0, Date.parse(until) / 1000 - useNow());
  const cancel = useSetReferralWallet();
  return (
    <Notice
      tone="warn"
      state="pending"
      action={
        mayEdit && (
          <Button onClick={() => cancel.mutate(oldAddress)} loading={cancel.isPending}>
            {t('referral.wallet.cancel')}
          </Button>
        )
      }
    >
      {t('referral.wallet.hold', { until: moment(until), left: duration(left, 2) })}{' '}
      <bdi dir="ltr" className={styles.address}>
        {oldAddress}
      </bdi>
    </Notice>
  );
}

/** `first`: there is no address yet, so nothing is held. */
function AddressForm({ first }: { first: boolean }) {
  const { t, i18n } = useTranslation();
  const { message } = App.useApp();
  const [typed, setTyped] = useState('');
  const { mutate, isPending, error, reset } = useSetReferralWallet();
  const [inputId, hintId, errorId] = [useId(), useId(), useId()];
  const say = useProblemText();
  const size = useNarrow() ? 'large' : 'middle';
  const known = error instanceof ApiError ? `referral.wallet.error.${error.code}` : '';
  const problem = i18n.exists(known) ? t(known) : say(error);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() === '') return;
        mutate(typed.trim(), {
          onSuccess: () => {
            setTyped('');
            message.success(t('referral.wallet.saved'));
          },
        });
      }}
    >
      <label htmlFor={inputId}>{t(first ? 'referral.wallet.address' : 'referral.wallet.new')}</label>
      <div className={styles.line}>
        <Input
          id={inputId}
          size={size}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          maxLength={128}
          value={typed}
          status={problem ? 'error' : undefined}
          aria-invalid={problem !== null}
          aria-describedby={problem ? `${hintId} ${errorId}` : hintId}
          onChange={(event) => {
            setTyped(event.target.value);
            reset();
          }}
        />
        <Button size={size} htmlType="submit" loading={isPending}>
          {t(first ? 'referral.wallet.set' : 'referral.wallet.change')}
        </Button>
      </div>
      <p id={hintId} className={styles.quiet}>
        {t(first ? 'referral.wallet.first' : 'referral.wallet.rules')}
      </p>
      {problem && (
        <p id={errorId} role="alert" className={styles.error}>
          {problem}
        </p>
      )}
    </form>
  );
}
