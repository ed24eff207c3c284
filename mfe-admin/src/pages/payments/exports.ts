/** Payments for a Bitcoin node, and transaction ids that come back from one. */
import { formatBtc } from '@pool/shared';
import type { CsvColumns } from '@pool/shared/ui/core';
import type { AdminPayment } from '../../api/payments';

/** Satoshis by address: a transaction has one output for each. */
function outputsOf(payments: readonly AdminPayment[]): Map<string, number> {
  const outputs = new Map<string, number>();
  for (const { address, amountSat } of payments)
    if (address !== null) outputs.set(address, (outputs.get(address) ?? 0) + amountSat);
  return outputs;
}
/** Amounts are written with all decimals, never computed with floating point. */
const pairsOf = (payments: readonly AdminPayment[]): string[] =>
  [...outputsOf(payments)].map(([address, sats]) => `"${address}": ${formatBtc(sats)}`);

export const EXPORTS = ['sendmany', 'psbt'] as const;
export type ExportKind = (typeof EXPORTS)[number];

/** Commands of bitcoin-cli: one that pays, and one that makes a transaction to be signed elsewhere. */
export const COMMANDS: Record<ExportKind, (payments: readonly AdminPayment[]) => string> = {
  sendmany: (payments) => `bitcoin-cli sendmany "" '{${pairsOf(payments).join(', ')}}'`,
  psbt: (payments) =>
    `bitcoin-cli walletcreatefundedpsbt '[]' '[${pairsOf(payments)
      .map((pair) => `{${pair}}`)
      .join(', ')}]'`,
};

export const CSV: CsvColumns<AdminPayment> = {
  id: ({ id }) => id,
  account: ({ account }) => account,
  address: ({ address }) => address,
  amount_btc: ({ amountSat }) => formatBtc(amountSat),
  status: ({ status }) => status,
  txid: ({ txid }) => txid,
  created_utc: ({ createdAt }) => createdAt,
};

const TXID = /^[0-9a-f]{64}$/i;
type Fault = 'form' | 'not_found' | 'several' | 'twice' | 'txid';
export type Imported = {
  matched: { payment: AdminPayment; txid: string }[];
  faults: { line: number; text: string; why: Fault }[];
};

/**
 * Reads lines of `<payment id or address> <txid>`, separated by spaces, tabs, commas or semicolons; a heading is
 * skipped. An address that several payments have is not decided here.
 */
export function readTxids(text: string, payments: readonly AdminPayment[]): Imported {
  const result: Imported = { matched: [], faults: [] };
  const seen = new Set<number>();
  text.split(/\r?\n/).forEach((line, index) => {
    const words = line
      .trim()
      .split(/[\s,;]+/)
      .map((word) => word.replace(/^["']|["']$/g, ''))
      .filter(Boolean);
    const [who = '', txid = ''] = words;
    if (!words.length || (index === 0 && /^(id|payment|address)$/i.test(who))) return;
    const fault = (why: Fault) => result.faults.push({ line: index + 1, text: line.trim(), why });
    if (words.length !== 2) return fault('form');
    if (!TXID.test(txid)) return fault('txid');
    const found = payments.filter(({ id, address }) => String(id) === who || address === who);
    const [payment] = found;
    if (!payment) return fault('not_found');
    if (found.length > 1) return fault('several');
    if (seen.has(payment.id)) return fault('twice');
    seen.add(payment.id);
    result.matched.push({ payment, txid: txid.toLowerCase() });
  });
  return result;
}
