/** The earning of one unit of hashrate, computed from the published inputs without the pool's code. */
import type { Answer } from '@pool/shared';

export type PoolDay = Answer<'GET /poolDay'>[number];

const UNIT_HS: Record<PoolDay['algorithm'], number> = { SHA256_ASICBOOST: 1e15, SCRYPT: 1e12 };

export function recompute({ algorithm, meanHashrate, priceBtc, feePercent }: PoolDay) {
  const exact = (meanHashrate / UNIT_HS[algorithm]) * priceBtc * 100_000_000;
  // Rounded down, but 48,999.99999999 is what binary fractions make of 49,000.
  const grossSat = Math.floor(exact * (1 + 1e-12));
  const fee = (grossSat * feePercent) / 100;
  const net = (grossSat * (100 - feePercent)) / 100;
  // The satoshi that is left of rounding both down is of the larger remainder.
  const left = grossSat - Math.floor(fee) - Math.floor(net);
  const feeSat = Math.floor(fee) + (left > 0 && fee % 1 >= net % 1 ? left : 0);
  return { grossSat, feeSat, netSat: grossSat - feeSat };
}
