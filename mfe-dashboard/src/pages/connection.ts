/** Settings of a miner, from `GET /connectionInfo/`. */
import type { Connection } from '@pool/shared';

/** Password of accounts without a miner password: any is accepted, but miner software requires one. */
export const PASSWORD = 'x';

export const stratumUrl = ({ host, port, tlsPort }: Connection, tls = false) =>
  tls && tlsPort !== null ? `stratum+ssl://${host}:${tlsPort}` : `stratum+tcp://${host}:${port}`;

/** All settings in one URI for a QR code, but not the miner password, which the server never returns. */
export function minerUri({ exampleUser, passwordSet, host, port }: Connection): string {
  const password = passwordSet ? '' : `:${PASSWORD}`;
  return `stratum+tcp://${exampleUser}${password}@${host}:${port}`;
}

/** The settings as options, which cgminer, BFGMiner, cpuminer and ccminer share. */
export const optionsLine = (connection: Connection): string =>
  `-o ${stratumUrl(connection)} -u ${connection.exampleUser} -p ${connection.passwordSet ? 'PASSWORD' : PASSWORD}`;
