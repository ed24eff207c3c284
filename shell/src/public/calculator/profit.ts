/** What a machine earns and costs. Dollars and bitcoin of a calculation, not of an account: plain numbers. */
import { ALGORITHMS, type AlgorithmName } from '@pool/shared';

export type Machine = {
  /** H/s */
  hashrate: number;
  watts: number;
  /** Price of the machine, US dollars. */
  cost: number;
};
export type Terms = {
  algorithm: AlgorithmName;
  /** US dollars per kWh. */
  electricity: number;
  feePercent: number;
  uptimePercent: number;
  /** US dollars for one bitcoin. */
  btcPrice: number;
  /** BTC per PH/s (SHA256) or TH/s (SCRYPT) per day. */
  hashprice: number;
};
export type Profit = {
  /** Profit after the fee, per day. */
  btc: number;
  /** US dollars per day. */
  income: number;
  electricity: number;
  profit: number;
  /** Electricity price at which nothing is left, US dollars per kWh; null: the machine draws no power. */
  breakEvenElectricity: number | null;
  /** Bitcoin price at which nothing is left; null: nothing is mined. */
  breakEvenBtc: number | null;
  /** Days until the machine has paid for itself; Infinity: never; null: its price is not given. */
  paybackDays: number | null;
};

export const DAYS = { day: 1, month: 365 / 12, year: 365 } as const;

export function profitOf({ hashrate, watts, cost }: Machine, terms: Terms): Profit {
  const uptime = terms.uptimePercent / 100;
  const btc =
    (hashrate / ALGORITHMS[terms.algorithm].priceUnitHs) * terms.hashprice * uptime * (1 - terms.feePercent / 100);
  const kwh = (watts / 1000) * 24 * uptime;
  const income = btc * terms.btcPrice;
  const electricity = kwh * terms.electricity;
  const profit = income - electricity;
  return {
    btc,
    income,
    electricity,
    profit,
    breakEvenElectricity: kwh > 0 ? income / kwh : null,
    breakEvenBtc: btc > 0 ? electricity / btc : null,
    paybackDays: cost > 0 ? (profit > 0 ? cost / profit : Infinity) : null,
  };
}
