/** Test helper: a self-signed certificate as PEM. Trusted when passed as `ca`. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { isIP } from 'node:net';

/** DER: a tag, the length, the contents. */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  const length =
    body.length < 128
      ? [body.length]
      : body.length < 256
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}
const [INTEGER, BITS, OCTETS, OID, UTF8, TIME, SEQUENCE, SET] = [0x02, 0x03, 0x04, 0x06, 0x0c, 0x17, 0x30, 0x31];
const ECDSA_SHA256 = der(SEQUENCE, der(OID, Buffer.from('2a8648ce3d040302', 'hex')));
const COMMON_NAME = der(OID, Buffer.from('550403', 'hex'));
const ALTERNATIVE_NAME = der(OID, Buffer.from('551d11', 'hex'));
const utcTime = (at: Date): Buffer =>
  der(
    TIME,
    Buffer.from(
      `${at
        .toISOString()
        .replace(/[-:T]|\.\d+/g, '')
        .slice(2)}`,
    ),
  );

/** `hosts`: names and IPv4 addresses the certificate is valid for. Valid for a day around now. */
export const selfSigned = (...hosts: string[]): { cert: string; key: string } => selfSignedFor(0.5, ...hosts);

/** Valid for so many days from now. */
export function selfSignedFor(days: number, ...hosts: string[]): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8, Buffer.from(hosts[0] ?? 'test')))));
  const names = hosts.map((host) =>
    isIP(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host)),
  );
  const now = Date.now();
  const facts = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1, ...Buffer.from(now.toString(16).padStart(12, '0'), 'hex')])),
    ECDSA_SHA256,
    name,
    der(SEQUENCE, utcTime(new Date(now - 43_200_000)), utcTime(new Date(now + days * 86_400_000))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, der(SEQUENCE, ALTERNATIVE_NAME, der(OCTETS, der(SEQUENCE, ...names))))),
  );
  const certificate = der(
    SEQUENCE,
    facts,
    ECDSA_SHA256,
    der(BITS, Buffer.from([0]), sign('sha256', facts, privateKey)),
  );
  const cert = `-----BEGIN CERTIFICATE-----\n${certificate
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n')}\n-----END CERTIFICATE-----\n`;
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}
