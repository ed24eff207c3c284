/** What a browser has for push: an endpoint, and keys that only it knows. Reads what is sent to it. */
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

export type PushBrowser = { p256dh: string; auth: string; read(body: Buffer): unknown };

export function pushBrowser(): PushBrowser {
  const own = createECDH('prime256v1');
  own.generateKeys();
  const auth = randomBytes(16);
  return {
    p256dh: own.getPublicKey('base64url'),
    auth: auth.toString('base64url'),
    /** RFC 8291, RFC 8188; throws where the message is not for this browser. */
    read(body) {
      const [salt, server, sealed] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)];
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), server]);
      const input = Buffer.from(hkdfSync('sha256', own.computeSecret(server), auth, info, 32));
      const part = (name: string, length: number): Buffer =>
        Buffer.from(hkdfSync('sha256', input, salt, `Content-Encoding: ${name}\0`, length));
      const open = createDecipheriv('aes-128-gcm', part('aes128gcm', 16), part('nonce', 12));
      open.setAuthTag(sealed.subarray(-16));
      const text = Buffer.concat([open.update(sealed.subarray(0, -16)), open.final()]).toString();
      // A delimiter, and padding after it.
      return JSON.parse(text.slice(0, text.lastIndexOf('\u0002')));
    },
  };
}
