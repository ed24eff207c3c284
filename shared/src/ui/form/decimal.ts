import { westernDigits } from '../../domain/digits';
import { SATS_PER_BTC } from '../../domain/money';

/** A number as people write it, in the characters computers read: Arabic digits and a decimal comma are replaced. */
export const asDecimal = (text: string): string => westernDigits(text.trim()).replace(/[٫,]/g, '.');

/** Satoshis of an amount in bitcoin as it is typed, in the digits of any language; null when it is not one. */
export function satsOf(typed: string): number | null {
  const [, whole, part = ''] = /^(\d{1,8})(?:\.(\d{1,8}))?$/.exec(asDecimal(typed)) ?? [];
  return whole === undefined ? null : Number(whole) * SATS_PER_BTC + Number(part.padEnd(8, '0'));
}
