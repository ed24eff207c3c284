/** Rows of the exports: raw units, UTC times, exact bitcoin amounts, the same column names in every language. */
import { ALGORITHMS, formatBtc, usdOf, type Earning, type Payment } from '@pool/shared';
import { wholeHs, type CsvColumns, type CsvValue } from '@pool/shared/ui/core';
import type { Days, HistoryKind, HistoryRow } from '../../../api/history';
import { closedOf, daysOf, groupedBy } from '../earnings/ledger';

const usdAt = (sats: number, price: number | null) => (price === null ? null : usdOf(sats, price).toFixed(2));

export const CSV: { [K in HistoryKind]: CsvColumns<HistoryRow[K]> } = {
  earnings: {
    day_utc: ({ day }) => day,
    sub_account: ({ account }) => account,
    algorithm: ({ algorithm }) => algorithm,
    mean_hashrate_hs: ({ meanHashrate }) => wholeHs(meanHashrate),
    price_btc: ({ priceBtc }) => priceBtc,
    price_per: ({ algorithm }) => ALGORITHMS[algorithm].priceUnit,
    gross_btc: ({ grossSat }) => formatBtc(grossSat),
    pool_fee_btc: ({ feeSat }) => formatBtc(feeSat),
    referral_btc: ({ referralSat }) => formatBtc(referralSat),
    net_btc: ({ netSat }) => formatBtc(netSat),
    btc_price_usd: ({ btcPriceUsd }) => btcPriceUsd,
    net_usd: ({ netSat, btcPriceUsd }) => usdAt(netSat, btcPriceUsd),
    status: ({ status }) => status,
  },
  payouts: {
    id: ({ id }) => id,
    created_utc: ({ createdAt }) => createdAt,
    sub_account: ({ account }) => account,
    period_from_utc: ({ periodFrom }) => periodFrom,
    period_to_utc: ({ periodTo }) => periodTo,
    amount_btc: ({ amountSat }) => formatBtc(amountSat),
    network_fee_btc: ({ networkFeeSat }) => formatBtc(networkFeeSat),
    address: ({ address }) => address,
    txid: ({ txid }) => txid,
    status: ({ status }) => status,
    reason: ({ reason }) => reason,
    sent_utc: ({ sentAt }) => sentAt,
    confirmed_utc: ({ confirmedAt }) => confirmedAt,
    btc_price_usd_at_send: ({ usdAtSend }) => usdAtSend,
  },
};

const TAX_HEADER =
  'kind,date_utc,sub_account,gross_sat,pool_fee_sat,net_sat,paid_sat,btc_price_usd,usd,status,address,txid'.split(',');
/** A year for the tax return, oldest first: a row for each account's closed day and for each payout sent. Integer satoshis. */
export function taxCsv(
  earnings: readonly Earning[],
  payouts: readonly Payment[],
): [header: string[], rows: CsvValue[][]] {
  const rows = [
    ...groupedBy(closedOf(earnings), ({ account }) => account).flatMap(([account, own]) =>
      daysOf(own, true).map(({ day, grossSat, feeSat, netSat, btcPriceUsd, status }) => {
        const usd = usdAt(netSat, btcPriceUsd);
        return ['earning', day, account, grossSat, feeSat, netSat, null, btcPriceUsd, usd, status, null, null];
      }),
    ),
    ...payouts.map(({ account, sentAt, amountSat, usdAtSend, status, address, txid }) => {
      const usd = usdAt(amountSat, usdAtSend);
      return ['payout', sentAt, account, null, null, null, amountSat, usdAtSend, usd, status, address, txid];
    }),
  ];
  return [TAX_HEADER, rows.sort(([, a], [, b]) => (String(a) < String(b) ? -1 : 1))];
}

/** `earnings-northfield-2026-11-01-2026-11-20.csv`. */
export const csvName = (kind: string, account: string, { from, to }: Days): string =>
  [kind, account, from, to].filter(Boolean).join('-') + '.csv';
