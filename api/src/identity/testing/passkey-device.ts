/** A device with one passkey for tests: it answers what a page asks of `navigator.credentials`, as clerk-js sends it. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const base64 = (data: Buffer | string): string => Buffer.from(data).toString('base64url');

/** The part of CBOR that the answers need: integers, strings, bytes and maps. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, size: number): Buffer =>
    Buffer.from(
      size < 24
        ? [(major << 5) | size]
        : size < 256
          ? [(major << 5) | 24, size]
          : [(major << 5) | 25, size >> 8, size & 255],
    );
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const parts = [...value].flatMap(([key, each]) => [cbor(key), cbor(each as number)]);
  return Buffer.concat([head(5, value.size), ...parts]);
}

type Asked = { challenge: string; rpId?: string; rp?: { id: string }; user?: { id: string } };
const PRESENT = 1;
const VERIFIED = 4;
const WITH_KEY = 64;

export class PasskeyDevice {
  private readonly key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly id = randomBytes(16);
  userHandle = '';
  /** The device counts its uses; null: it does not. */
  counter: number | null = 0;
  /** Whether it asks for a fingerprint, a face or a PIN. */
  verifiesUser = true;

  constructor(public origin: string) {}

  private answer(type: 'create' | 'get', { challenge, rpId, rp }: Asked, rest: Buffer) {
    const clientData = JSON.stringify({ type: `webauthn.${type}`, challenge, origin: this.origin, crossOrigin: false });
    if (this.counter !== null) this.counter += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter ?? 0);
    const flags = PRESENT | (this.verifiesUser ? VERIFIED : 0) | (rest.length ? WITH_KEY : 0);
    const data = Buffer.concat([sha256(rpId ?? rp?.id ?? ''), Buffer.from([flags]), counter, rest]);
    const common = {
      type: 'public-key',
      id: base64(this.id),
      rawId: base64(this.id),
      authenticatorAttachment: 'platform',
    };
    return { data, clientData, common };
  }

  /** A new passkey, of the options in `nonce`. */
  create(nonce: string): string {
    const asked = JSON.parse(nonce) as Asked;
    this.userHandle = asked.user?.id ?? '';
    const { x = '', y = '' } = this.key.publicKey.export({ format: 'jwk' });
    const coordinate = (text: string) => Buffer.from(text, 'base64url');
    const publicKey = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, coordinate(x)],
        [-3, coordinate(y)],
      ]),
    );
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, publicKey]);
    const { data, clientData, common } = this.answer('create', asked, credential);
    const attestation = cbor(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', data],
      ]),
    );
    return JSON.stringify({
      ...common,
      response: {
        clientDataJSON: base64(clientData),
        attestationObject: base64(attestation),
        transports: ['internal'],
      },
    });
  }

  /** The answer to the options in `nonce`. */
  get(nonce: string): string {
    const { data, clientData, common } = this.answer('get', JSON.parse(nonce) as Asked, Buffer.alloc(0));
    const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), this.key.privateKey);
    return JSON.stringify({
      ...common,
      response: {
        clientDataJSON: base64(clientData),
        authenticatorData: base64(data),
        signature: base64(signature),
        userHandle: this.userHandle,
      },
    });
  }
}
