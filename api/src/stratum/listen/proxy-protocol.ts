/** PROXY protocol, versions 1 and 2 (haproxy.org): a balancer says first whose connection it is. */
import { BlockList, isIP, type Socket } from 'node:net';
import { addressOf } from '../../platform/network-of';

/** The longest line of version 1, and the head of version 2 before its addresses. */
const MAX_LINE = 107;
const HEAD = 16;
/** Addresses and further facts of version 2; HAProxy sends less than a tenth. */
const MAX_BODY = 4096;
const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');

/** `address`: of the client; null: the balancer's own connection, or of an unknown client. */
export type ProxyHeader = { address: string | null; bytes: number };

/** Reads the header at the start of `data`; null: not all of it is there yet. Throws an `Error` when there is none. */
export function readProxyHeader(data: Buffer): ProxyHeader | null {
  const compared = Math.min(data.length, SIGNATURE.length);
  if (data.subarray(0, compared).equals(SIGNATURE.subarray(0, compared))) return readBinary(data);
  return readLine(data);
}

function readLine(data: Buffer): ProxyHeader | null {
  const end = data.subarray(0, MAX_LINE).indexOf('\r\n');
  if (end < 0) {
    if (data.length >= MAX_LINE || !'PROXY '.startsWith(data.toString('latin1', 0, 6))) throw new Error('no header');
    return null;
  }
  const [word, kind, source = ''] = data.toString('latin1', 0, end).split(' ');
  const bytes = end + 2;
  if (word === 'PROXY' && kind === 'UNKNOWN') return { address: null, bytes };
  if (word !== 'PROXY' || !/^TCP[46]$/.test(kind ?? '') || isIP(source) !== Number(kind?.[3]))
    throw new Error('a wrong header');
  return { address: addressOf(source), bytes };
}

function readBinary(data: Buffer): ProxyHeader | null {
  if (data.length < HEAD) return null;
  const [versionAndCommand, family] = [data[12], data[13]];
  const length = data.readUInt16BE(14);
  if ((versionAndCommand !== 0x20 && versionAndCommand !== 0x21) || length > MAX_BODY)
    throw new Error('a wrong header');
  const bytes = HEAD + length;
  if (data.length < bytes) return null;
  if (versionAndCommand === 0x20) return { address: null, bytes };
  const isV6 = family === 0x21;
  if (family !== 0x11 && !isV6) return { address: null, bytes };
  const source = data.subarray(HEAD, HEAD + (isV6 ? 16 : 4));
  if (length < source.length * 2 + 4) throw new Error('a wrong header');
  const groups = Array.from({ length: 8 }, (_, i) => (isV6 ? source.readUInt16BE(i * 2).toString(16) : ''));
  return { address: addressOf(isV6 ? groups.join(':') : source.join('.')), bytes };
}

/** Says whether an address is in a list of addresses and networks (`10.0.0.0/8`). */
export function addressList(list: readonly string[]): (address: string | undefined) => boolean {
  const known = new BlockList();
  for (const item of list) {
    const [address = '', bits] = item.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) known.addAddress(address, family);
    else known.addSubnet(address, Number(bits), family);
  }
  return (address) => address !== undefined && known.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** Takes the header from the socket: the client's address, null as in `ProxyHeader`. Rejects after `ms`. */
export function takeProxyHeader(socket: Socket, ms: number): Promise<string | null> {
  return new Promise((resolve, reject) => {
    let data = Buffer.alloc(0);
    const done = (settle: () => void): void => {
      clearTimeout(timer);
      socket.off('readable', read).off('close', closed);
      settle();
    };
    const closed = (): void => done(() => reject(new Error('closed before its header')));
    const timer = setTimeout(() => done(() => reject(new Error('no header in time'))), ms);
    const read = (): void => {
      const chunk = socket.read() as Buffer | null;
      if (!chunk) return;
      data = Buffer.concat([data, chunk]);
      try {
        const header = readProxyHeader(data);
        if (!header) return;
        done(() => {
          if (header.bytes < data.length) socket.unshift(data.subarray(header.bytes));
          resolve(header.address);
        });
      } catch (error) {
        done(() => reject(error as Error));
      }
    };
    socket.on('readable', read).on('close', closed);
  });
}
