/**
 * Rows of the exports, for spreadsheets and tax returns: raw units, UTC ISO times, and the same column names in every
 * language. Bitcoin amounts are exact, with eight decimals.
 */
import { formatBtc, usdOf, type Earning, type Payment } from '@pool/shared';
import { wholeHs, type CsvValue } from '@pool/shared/ui/core';
import type { Days } from '../../../api/history';
import { closedOf, daysOf } from '../earnings/ledger';

export type Csv = { header: string[]; rows: CsvValue[][] };

const usdAt = (sats: number, price: number | null) => (price === null ? null : usdOf(sats, price).toFixed(2));

export const earningsCsv = (rows: readonly Earning[]): Csv => ({
  header: [
    'day_utc',
    'sub_account',
    'algorithm',
    'mean_hashrate_hs',
    'price_btc',
    'gross_btc',
    'pool_fee_btc',
    'referral_btc',
    'net_btc',
    'btc_price_usd',
    'net_usd',
    'status',
  ],
  rows: rows.map((row) => [
    row.day,
    row.account,
    row.algorithm,
    wholeHs(row.meanHashrate),
    row.priceBtc,
    formatBtc(row.grossSat),
    formatBtc(row.feeSat),
    formatBtc(row.referralSat),
    formatBtc(row.netSat),
    row.btcPriceUsd,
    usdAt(row.netSat, row.btcPriceUsd),
    row.status,
  ]),
});

export const payoutsCsv = (rows: readonly Payment[]): Csv => ({
  header: [
    'id',
    'created_utc',
    'sub_account',
    'period_from_utc',
    'period_to_utc',
    'amount_btc',
    'network_fee_btc',
    'address',
    'txid',
    'status',
    'reason',
    'sent_utc',
    'confirmed_utc',
    'btc_price_usd_at_send',
  ],
  rows: rows.map((row) => [
    row.id,
    row.createdAt,
    row.account,
    row.periodFrom,
    row.periodTo,
    formatBtc(row.amountSat),
    formatBtc(row.networkFeeSat),
    row.address,
    row.txid,
    row.status,
    row.reason,
    row.sentAt,
    row.confirmedAt,
    row.usdAtSend,
  ]),
});

/** A year for the tax return, oldest first: a row for each closed day and for each payout sent. Integer satoshis. */
export const taxCsv = (earnings: readonly Earning[], payouts: readonly Payment[]): Csv => {
  const rows = [
    ...daysOf(closedOf(earnings), true).map(({ day, parts, grossSat, feeSat, netSat, btcPriceUsd, status }) => {
      const [account, usd] = [parts[0]?.account, usdAt(netSat, btcPriceUsd)];
      return ['earning', day, account, grossSat, feeSat, netSat, null, btcPriceUsd, usd, status, null, null];
    }),
    ...payouts.map(({ account, sentAt, amountSat, usdAtSend, status, address, txid }) => {
      const usd = usdAt(amountSat, usdAtSend);
      return ['payout', sentAt, account, null, null, null, amountSat, usdAtSend, usd, status, address, txid];
    }),
  ];
  return {
    header: [
      'kind',
      'date_utc',
      'sub_account',
      'gross_sat',
      'pool_fee_sat',
      'net_sat',
      'paid_sat',
      'btc_price_usd',
      'usd',
      'status',
      'address',
      'txid',
    ],
    rows: rows.sort(([, a], [, b]) => (String(a) < String(b) ? -1 : 1)),
  };
};

/** `earnings-northfield-2026-11-01-2026-11-20.csv`. */
export const csvName = (kind: string, account: string, { from, to }: Days): string =>
  [kind, account, from, to].filter(Boolean).join('-') + '.csv';
