import { asDecimal } from '../form';

const SATS = 100_000_000;

/** Satoshis of an amount in bitcoin as it is typed, in the digits of any language; null when it is not one. */
export function satsOf(typed: string): number | null {
  const [, whole, part = ''] = /^(\d{1,8})(?:\.(\d{1,8}))?$/.exec(asDecimal(typed)) ?? [];
  return whole === undefined ? null : Number(whole) * SATS + Number(part.padEnd(8, '0'));
}

/** Amount without zeros at the end: `0.005`. */
export const typedOf = (sats: number): string => (sats / SATS).toFixed(8).replace(/\.?0+$/, '');
