import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Answer, CallOptions } from '../../api/client';
import { formatBtcShort } from '../../domain';
import { useBalance } from '../../react/queries';
import { useServices } from '../../react/services';
import { useUrlState } from '../../react/url-state';
import { Btc, Button, Panel, QueryState, Skeleton, useFormat } from '../core';
import { Form, Problem, satsOf, Switch, TextField, useFormMutation, useMayEdit } from '../form';
import common from '../common.module.css';
import styles from './payout.module.css';
import { rulesQuery } from './queries';

type Rules = Answer<'GET /payoutSettings'>;
type Change = CallOptions<'PUT /payoutSettings'>['body'];

/** A threshold that a link offers, satoshis: it is filled in, and saved by the person. */
const PLACE = { threshold: (text: string | null) => (/^\d{1,11}$/.test(text ?? '') ? Number(text) : undefined) };

/** Panel of the balance from which an account is paid, and whether it is paid at all. */
export function RulesPanel({ account }: { account: string }) {
  const { t } = useTranslation();
  const query = useQuery(rulesQuery(useServices().api, account));
  const { data } = query;
  const mayEdit = useMayEdit('wallet');
  const [{ threshold }] = useUrlState(PLACE);
  return (
    <Panel title={t('payout.rules', { name: account })}>
      <QueryState query={query}>
        <Skeleton height={44} />
      </QueryState>
      {data && (
        <div className={common.stack}>
          {mayEdit ? (
            <>
              <ThresholdForm key={threshold} rules={data} offered={threshold} />
              <Pause rules={data} />
            </>
          ) : (
            <>
              <p>
                {t('payout.threshold')}: <Btc set sats={data.thresholdSat} />
              </p>
              {data.paused && <p>{t('payout.pausedSaid')}</p>}
            </>
          )}
        </div>
      )}
    </Panel>
  );
}

function useChange({ account }: Rules, said: string) {
  const { api, queryClient } = useServices();
  return useFormMutation({
    send: (_, body: Change) => api('PUT /payoutSettings', { query: { accountName: account }, body }),
    said: () => said,
    onDone: (rules) => queryClient.setQueryData(rulesQuery(api, account).queryKey, rules),
    // The balance's sentence, and the reasons of payouts that wait.
    reads: [['payments']],
  });
}

const LONG_DAYS = 365;
/** Days of earnings that a threshold is advised for. */
const ADVISED_DAYS = 30;
/** Where the threshold is more than a year away: a round amount of about a month, or the least; null: none is better. */
function advisedThreshold(pace: number, { thresholdSat, leastSat }: Rules): number | null {
  if (pace <= 0 || thresholdSat / pace <= LONG_DAYS) return null;
  const wanted = Math.max(leastSat, pace * ADVISED_DAYS);
  const power = 10 ** Math.floor(Math.log10(wanted));
  const round = [1, 2, 5, 10].map((digit) => digit * power).find((sats) => sats >= wanted) ?? wanted;
  return round < thresholdSat ? round : null;
}

function ThresholdForm({ rules, offered }: { rules: Rules; offered: number | undefined }) {
  const { t } = useTranslation();
  const { btc, local, span } = useFormat();
  const { session } = useServices();
  const paceSat = useBalance().data?.paceSat ?? 0;
  // The balance is that of the pages' account.
  const pace = session.account === rules.account ? paceSat : 0;
  const advised = advisedThreshold(pace, rules);
  const save = useChange(rules, t('payout.thresholdSaved'));
  const written = (amount: number) => local(formatBtcShort(amount));
  /** Null: what is saved. */
  const [draft, setDraft] = useState(offered === undefined ? null : written(offered));
  const typed = draft ?? written(rules.thresholdSat);
  const [isWrong, setWrong] = useState(false);
  const { leastSat, mostSat } = rules;
  const bounds = { least: btc(leastSat, 'set'), most: btc(mostSat, 'set') };
  const sats = satsOf(typed);
  return (
    <Form
      className={styles.form}
      change={save}
      onSubmit={() => {
        if (sats !== null && sats >= leastSat && sats <= mostSat) save.mutate({ thresholdSat: sats });
        else setWrong(true);
      }}
    >
      <TextField
        isCode
        className={styles.amount}
        autoFocus={offered !== undefined}
        size="large"
        inputMode="decimal"
        suffix="BTC"
        label={t('payout.threshold')}
        hint={[
          t('payout.thresholdHint', bounds),
          ...(sats && pace > 0 ? [t('payout.pace', { span: span(sats / pace) })] : []),
        ].join(' ')}
        error={isWrong ? t('payout.thresholdWrong', bounds) : save.text}
        maxLength={20}
        value={typed}
        onChange={(text) => {
          setDraft(text);
          setWrong(false);
        }}
      />
      <div className={common.buttons}>
        <Button htmlType="submit" loading={save.isPending} disabled={sats === rules.thresholdSat}>
          {t('payout.save')}
        </Button>
        {advised !== null && (
          <Button
            type="link"
            onClick={() => {
              setDraft(null);
              save.mutate({ thresholdSat: advised });
            }}
          >
            {t('payout.advice', { amount: btc(advised, 'set'), span: span(advised / pace) })}
          </Button>
        )}
      </div>
    </Form>
  );
}

function Pause({ rules }: { rules: Rules }) {
  const { t } = useTranslation();
  const [id, hintId] = [useId(), useId()];
  const { paused } = rules;
  const change = useChange(rules, t(paused ? 'payout.resumed' : 'payout.pausedSaid'));
  return (
    <div className={styles.switch}>
      <Switch
        id={id}
        aria-describedby={hintId}
        checked={change.isPending ? !paused : paused}
        loading={change.isPending}
        onChange={(next) => change.mutate({ paused: next })}
      />
      <label htmlFor={id} className={styles.name}>
        {t('payout.pause')}
      </label>
      <p id={hintId} className={common.quiet}>
        {t('payout.pauseHint')}
      </p>
      <Problem error={change.error} />
    </div>
  );
}
