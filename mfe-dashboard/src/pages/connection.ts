/** What a miner is set up with, from `GET /connectionInfo/`. */
import type { Connection } from '@pool/shared';

/** Any will do where the account has none of its own; miners insist on having one. */
export const PASSWORD = 'x';

export const stratumUrl = ({ host, port, tlsPort }: Connection, tls = false) =>
  tls && tlsPort !== null ? `stratum+ssl://${host}:${tlsPort}` : `stratum+tcp://${host}:${port}`;

/** `northfield.` and `rig-01` of `northfield.rig-01`. */
export function workerParts(user: string): [account: string, name: string] {
  const dot = user.indexOf('.');
  return dot < 0 ? [user, ''] : [user.slice(0, dot + 1), user.slice(dot + 1)];
}

/** Everything in one URI, as miner apps read it from a QR code. A password of the account's own is known to its owner alone. */
export const minerUri = (connection: Connection) =>
  `stratum+tcp://${connection.exampleUser}${connection.passwordSet ? '' : `:${PASSWORD}`}@${connection.host}:${connection.port}`;
