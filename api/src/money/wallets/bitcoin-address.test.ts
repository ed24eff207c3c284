import { base58, bech32, bech32m } from '@scure/base';
import { ADDRESS_REASONS, checkBitcoinAddress, shortAddress } from './bitcoin-address';

const segwit = (prefix: string, version: number, program: Uint8Array): string =>
  (version ? bech32m : bech32).encode(prefix, [version, ...bech32.toWords(program)]);
const TAPROOT = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0';
/** The key of TAPROOT. */
const POINT = bech32m.fromWords(bech32m.decode(TAPROOT).words.slice(1));
const WPKH = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

describe('checkBitcoinAddress', () => {
  it.each([
    ['P2PKH', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'pkh'],
    ['P2SH', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'sh'],
    ['P2WPKH', WPKH, 'wpkh'],
    ['P2WSH', 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3', 'wsh'],
    ['P2TR', TAPROOT, 'tr'],
  ])('accepts %s', (_, address, type) => expect(checkBitcoinAddress(address)).toEqual({ ok: true, address, type }));

  // bitcoinjs/bip21#11, lamassu/lamassu-machine#100
  it.each([WPKH.toUpperCase(), `BITCOIN:${WPKH.toUpperCase()}`, `bitcoin:${WPKH}?amount=0.5&label=a`])(
    'accepts what QR codes hold, %s, and returns small letters',
    (text) => expect(checkBitcoinAddress(text)).toEqual({ ok: true, address: WPKH, type: 'wpkh' }),
  );

  it.each([
    ['a word', 'hello', 'address_length'],
    ['testnet and signet bech32', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'address_wrong_network'],
    ['Litecoin P2PKH', 'LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1', 'address_wrong_network'],
    ['one character changed, base58', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3', 'address_checksum'],
    ['one character changed, bech32', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdz', 'address_checksum'],
    [
      'version 1 with the checksum of bech32',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
      'address_checksum',
    ],
    ['mixed case', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdQ', 'address_mixed_case'],
    ['a Cyrillic letter', 'bc1qаr0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'address_characters'],
    ['pay-to-anchor', 'bc1pfeessrawgf', 'address_type'],
    [
      'version 1 of 40 bytes',
      'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
      'address_type',
    ],
    ['a taproot key that is not on the curve', segwit('bc', 1, new Uint8Array(32).fill(255)), 'address_type'],
    ['a character that bech32 has not', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdb', 'address_characters'],
    ['one at its beginning', 'bc1bar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', 'address_characters'],
    ['bech32 of 90 characters', `bc1${'q'.repeat(87)}`, 'address_checksum'],
    ['bech32 of 91 characters', `bc1${'q'.repeat(88)}`, 'address_length'],
    ['one that base58 has not, at its end', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN0', 'address_characters'],
    ['one that base58 has not, at its beginning', 'OBvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'address_characters'],
    ['a word in other letters', 'кошелёк', 'address_characters'],
    ['a text before the scheme', `xbitcoin:${WPKH}`, 'address_characters'],
    ['base58 of 18 bytes, 25 characters', base58.encode(new Uint8Array(18).fill(255)), 'address_length'],
    ['base58 of 19 bytes, 26 characters', base58.encode(new Uint8Array(19).fill(255)), 'address_format'],
    ['base58 of 62 characters', '2'.repeat(62), 'address_format'],
    ['base58 of 63 characters', '2'.repeat(63), 'address_length'],
    ['version 0 of 2 bytes', segwit('bc', 0, new Uint8Array(2)), 'address_length'],
    ['version 0 of 40 bytes', segwit('bc', 0, new Uint8Array(40)), 'address_length'],
    ['version 2 of a point of the curve', segwit('bc', 2, POINT), 'address_type'],
    ['version 0 of 16 bytes', segwit('bc', 0, new Uint8Array(16).fill(7)), 'address_format'],
    ['invalid padding', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf', 'address_format'],
  ] as const)('refuses %s', (_, text, reason) => {
    expect(checkBitcoinAddress(text)).toEqual({ ok: false, reason });
    expect(ADDRESS_REASONS[reason]).toMatch(/\.$/);
  });

  it('never throws', () => {
    for (const text of ['1'.repeat(90), 'bc1', 'bc1q', '\u0000'.repeat(40), `bc1p${'1'.repeat(30)}`])
      expect(checkBitcoinAddress(text).ok).toBe(false);
  });
});

it.each([
  [WPKH, 'bc1qar0s…wf5mdq'],
  [WPKH.slice(0, 17), 'bc1qar0s…7xfkvy'],
  [WPKH.slice(0, 16), WPKH.slice(0, 16)],
])('shortAddress keeps eight and six characters of %s', (address, short) => expect(shortAddress(address)).toBe(short));
