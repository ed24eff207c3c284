import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { Wallet } from '../../api/schemas';
import { Button, CopyField, Empty, Notice, Panel, QueryState, Skeleton, useFormat, useNow } from '../core';
import { ActionButton, IfMayEdit, useMayEdit } from '../form';
import { BeforeAfter } from '../waiting';
import { AddressForm } from './address-form';
import common from '../common.module.css';
import { queryOfWallet, type WalletCalls } from './queries';
import { WalletHistory } from './wallet-history';

export type WalletPanelProps = {
  title: string;
  calls: WalletCalls;
  /** The address has changed. */ onAddress?(): void;
};

/** The address that is paid to: set at once, changed with a hold that can be cancelled. */
export function WalletPanel({ title, calls, onAddress }: WalletPanelProps) {
  const { t } = useTranslation();
  const query = useQuery(queryOfWallet(calls));
  const { data: wallet } = query;
  const mayEdit = useMayEdit('wallet');
  const [editing, setEditing] = useState(false);
  const edit = useRef<HTMLElement>(null);
  const close = () => {
    flushSync(() => setEditing(false));
    edit.current?.focus();
  };
  return (
    <Panel title={title}>
      <QueryState query={query}>
        <Skeleton height={44} />
      </QueryState>
      {wallet && (
        <div className={common.stack}>
          {wallet.hold && <Hold calls={calls} address={wallet.btcAddress} {...wallet.hold} />}
          {wallet.setByAdmin && wallet.btcAddress && <Confirm calls={calls} address={wallet.btcAddress} />}
          {wallet.btcAddress === null ? (
            mayEdit ? (
              <p className={common.quiet}>{t('payout.noneHint')}</p>
            ) : (
              <Empty title={t('payout.none')}>{t('payout.noneHint')}</Empty>
            )
          ) : (
            <CopyField size="large" label={t('payout.address')} value={wallet.btcAddress} />
          )}
          {mayEdit &&
            (editing || wallet.btcAddress === null ? (
              <AddressForm
                calls={calls}
                isFirst={wallet.btcAddress === null}
                onDone={close}
                focus={() => edit.current}
                onAddress={onAddress}
              />
            ) : (
              <div className={common.buttons}>
                <Button ref={edit} onClick={() => setEditing(true)}>
                  {t('payout.change')}
                </Button>
              </div>
            ))}
          {wallet.history.length > 0 && <WalletHistory history={wallet.history} />}
        </div>
      )}
    </Panel>
  );
}

/** Setting the same address again says that it is the owner's. */
function Confirm({ calls: { key, set }, address }: { calls: WalletCalls; address: string }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return (
    <Notice
      tone="warn"
      state="review"
      action={
        <IfMayEdit of="wallet">
          <ActionButton
            size="small"
            text={t('payout.confirm')}
            send={() => set(address)}
            said={() => t('payout.confirmed')}
            onDone={(wallet) => queryClient.setQueryData(key, wallet)}
          />
        </IfMayEdit>
      }
    >
      {t('payout.setByAdmin')}
    </Notice>
  );
}

type HoldProps = { calls: WalletCalls; address: string | null } & NonNullable<Wallet['hold']>;

/** The time until payouts go on, counted down. `oldAddress` null: the address is the owner's. */
function Hold({ calls, address, until, oldAddress }: HoldProps) {
  const { t } = useTranslation();
  const { moment, duration } = useFormat();
  const now = useNow();
  const values = { until: moment(until), left: duration(Math.max(0, Date.parse(until) / 1000 - now), 2) };
  if (oldAddress !== null) return <HeldChange {...{ calls, address, oldAddress }} text={t('payout.hold', values)} />;
  return (
    <Notice tone="warn" state="review">
      <p>{t('payout.holdAll', values)}</p>
    </Notice>
  );
}

/** Why nothing is paid out, and the way back to the address before. */
function HeldChange({
  calls: { key, cancel },
  address,
  oldAddress,
  text,
}: Pick<HoldProps, 'calls' | 'address'> & { oldAddress: string; text: string }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return (
    <Notice
      tone="warn"
      state="review"
      action={
        <IfMayEdit of="wallet">
          <ActionButton
            size="small"
            text={t('payout.cancel')}
            question={{
              title: t('payout.cancelTitle'),
              content: t('payout.cancelText', { address: oldAddress }),
              cancelText: t('payout.back'),
            }}
            send={() => cancel(oldAddress)}
            said={() => t('payout.cancelled')}
            onDone={(wallet) => queryClient.setQueryData(key, wallet)}
          />
        </IfMayEdit>
      }
    >
      <p>{text}</p>
      <BeforeAfter before={{ address: oldAddress }} after={address === null ? null : { address }} />
    </Notice>
  );
}
