/** Decodes Bitcoin addresses of the main network; refuses everything else with a stable reason code. */
import { createHash, ECDH } from 'node:crypto';
import { base58, bech32, bech32m } from '@scure/base';
import { Address, NETWORK } from '@scure/btc-signer';
import { succeeds } from '../../platform/succeeds';

export const ADDRESS_REASONS = {
  address_characters: 'It has characters that no Bitcoin address has.',
  address_mixed_case: 'It mixes capital and small letters; an address that starts with bc1 has one kind only.',
  address_length: 'It has fewer than 26 or more than 62 characters.',
  address_checksum: 'Its checksum does not match: a character is wrong or missing.',
  address_wrong_network: 'It is not an address of the Bitcoin main network.',
  address_type: 'It is of a kind that cannot be paid to.',
  address_format: 'It is not a Bitcoin address.',
} as const;

type AddressReason = keyof typeof ADDRESS_REASONS;
export type CheckedAddress =
  | { ok: true; address: string; type: 'pkh' | 'sh' | 'wpkh' | 'wsh' | 'tr' }
  | { ok: false; reason: AddressReason };

const refuse = (reason: AddressReason): CheckedAddress => ({ ok: false, reason });
const sha256 = (data: Uint8Array): Buffer => createHash('sha256').update(data).digest();

/** Lengths that are looked at, in characters: kinds that cannot be paid to have others than those that can. */
const MAX_LENGTH = 90;
const MIN_LENGTH = 14;
/** A text of the wrong number of bytes. */
const wrongLength = ({ length }: string): CheckedAddress =>
  refuse(length < 26 || length > 62 ? 'address_length' : 'address_format');
/** Human-readable parts before the `1`: Bitcoin main network, Bitcoin test networks, Litecoin (often confused). */
const SEGWIT = /^(bc|tb|bcrt|ltc|tltc|rltc)1/;
const CHARSET = /^[qpzry9x8gf2tvdw0s3jn54khce6mua7l]+$/;

/** Checks the address with the library too: refuses an address it cannot decode, or encodes to a different text. */
function confirmed(address: string, type: Extract<CheckedAddress, { ok: true }>['type']): CheckedAddress {
  try {
    const decoded = Address(NETWORK).decode(address);
    return decoded.type === type && Address(NETWORK).encode(decoded) === address
      ? { ok: true, address, type }
      : refuse('address_type');
  } catch {
    return refuse('address_type');
  }
}

/** Whether an x-only key is a point of the curve; an output to any other key could never be spent. */
const isPoint = (x: Uint8Array): boolean =>
  succeeds(() => ECDH.convertKey(Buffer.concat([Buffer.of(2), x]), 'secp256k1'));

const wordsOf = (decoded: void | { words: number[] }): number[] | null => (decoded ? decoded.words : null);

function segwit(text: string): CheckedAddress {
  const address = text.toLowerCase();
  if (text !== address && text !== text.toUpperCase()) return refuse('address_mixed_case');
  const at = address.lastIndexOf('1');
  if (!CHARSET.test(address.slice(at + 1))) return refuse('address_characters');
  if (address.slice(0, at) !== 'bc') return refuse('address_wrong_network');
  const plain = wordsOf(bech32.decodeUnsafe(address));
  const [version, ...words] = plain ?? wordsOf(bech32m.decodeUnsafe(address)) ?? [];
  if (version === undefined) return refuse('address_checksum');
  // BIP 350: version 0 uses the bech32 checksum, later versions the bech32m checksum; the other one is wrong.
  if ((version === 0) !== (plain !== null)) return refuse('address_checksum');
  const program = bech32.fromWordsUnsafe(words);
  if (!program) return refuse('address_format');
  if (version === 0)
    return program.length === 20
      ? confirmed(address, 'wpkh')
      : program.length === 32
        ? confirmed(address, 'wsh')
        : wrongLength(address);
  return version === 1 && program.length === 32 && isPoint(program) ? confirmed(address, 'tr') : refuse('address_type');
}

const PKH = 0x00;
const SH = 0x05;

function legacy(text: string): CheckedAddress {
  if (!/^[1-9A-HJ-NP-Za-km-z]+$/.test(text)) return refuse('address_characters');
  const bytes = base58.decode(text);
  if (bytes.length !== 25) return wrongLength(text);
  const sum = sha256(sha256(bytes.subarray(0, 21))).subarray(0, 4);
  if (!sum.equals(bytes.subarray(21))) return refuse('address_checksum');
  if (bytes[0] === PKH) return confirmed(text, 'pkh');
  return bytes[0] === SH ? confirmed(text, 'sh') : refuse('address_wrong_network');
}

/** Returns the address to store (bech32 in small letters), or why it is invalid. It may be in a URI of BIP 21. */
export function checkBitcoinAddress(given: string): CheckedAddress {
  const text = /^bitcoin:([^?]*)/i.exec(given)?.[1] ?? given;
  if (!/^[\x21-\x7e]*$/.test(text)) return refuse('address_characters');
  if (text.length < MIN_LENGTH || text.length > MAX_LENGTH) return refuse('address_length');
  return SEGWIT.test(text.toLowerCase()) ? segwit(text) : legacy(text);
}

/** The address shortened for display: `bc1qar0s…wf5mdq`. */
export const shortAddress = (address: string): string =>
  address.length <= 16 ? address : `${address.slice(0, 8)}…${address.slice(-6)}`;
