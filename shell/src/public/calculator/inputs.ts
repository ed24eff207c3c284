/** The inputs, all in the address: what is not there has its default, and what is not a number counts as not there. */
import { DEFAULT_ALGORITHM, isAlgorithm, type AlgorithmName } from '@pool/shared';
import { asDecimal } from '@pool/shared/ui/form';
import { machinesOf } from '@pool/shared/machines';
import type { Machine, Terms } from './profit';

/** Prices of the pool, or the defaults, and its fee. */
export type Prices = Pick<Terms, 'btcPrice' | 'hashprice' | 'feePercent'>;

const MAX = 1e21;
const DEFAULT_ELECTRICITY = 0.06;
/** Names in the address of the terms, and of a machine; those of the second machine end with 2. */
export const TERM_PARAMS = {
  electricity: 'electricity',
  feePercent: 'fee',
  uptimePercent: 'uptime',
  btcPrice: 'btc',
  hashprice: 'hashprice',
} as const;
export const MACHINE_PARAMS = { hashrate: 'hashrate', watts: 'power', cost: 'cost' } as const;
export const SECOND = '2';

/** Decimals as people write them, also in Arabic digits and with a comma; null: not a number from 0 on. */
export function readNumber(text: string | null): number | null {
  if (text === null || text.trim() === '') return null;
  const western = asDecimal(text).replace(/\s/g, '');
  const value = /^\d*\.?\d*(e\d+)?$/i.test(western) ? Number(western) : NaN;
  return Number.isFinite(value) && value >= 0 && value <= MAX ? value : null;
}

export const algorithmOf = (params: URLSearchParams): AlgorithmName => {
  const wanted = params.get('algorithm');
  return isAlgorithm(wanted) ? wanted : DEFAULT_ALGORITHM;
};

export function termsOf(params: URLSearchParams, prices: Prices): Terms {
  const read = (name: string, fallback: number) => readNumber(params.get(name)) ?? fallback;
  return {
    algorithm: algorithmOf(params),
    electricity: read(TERM_PARAMS.electricity, DEFAULT_ELECTRICITY),
    feePercent: Math.min(100, read(TERM_PARAMS.feePercent, prices.feePercent)),
    uptimePercent: Math.min(100, read(TERM_PARAMS.uptimePercent, 100)),
    btcPrice: read(TERM_PARAMS.btcPrice, prices.btcPrice),
    hashprice: read(TERM_PARAMS.hashprice, prices.hashprice),
  };
}

/** `suffix`: empty for the first machine. The first one starts as a usual machine, the second as another one. */
export function machineOf(params: URLSearchParams, suffix: '' | typeof SECOND): Machine {
  const known = machinesOf(algorithmOf(params));
  const preset = known[suffix ? 1 : 0] ?? known[0];
  const read = (name: string, fallback: number) => readNumber(params.get(name + suffix)) ?? fallback;
  return {
    hashrate: read(MACHINE_PARAMS.hashrate, preset?.hashrate ?? 0),
    watts: read(MACHINE_PARAMS.watts, preset?.watts ?? 0),
    cost: read(MACHINE_PARAMS.cost, 0),
  };
}
