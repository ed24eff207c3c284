/** Test helper: a self-signed certificate as PEM. Trusted when passed as `ca`. */
import { execFileSync } from 'node:child_process';
import { isIP } from 'node:net';

/** `hosts`: names and addresses that the certificate is valid for, for so many days from now. */
export function selfSignedFor(days: number, ...hosts: string[]): { cert: string; key: string } {
  const names = hosts.map((host) => `${isIP(host) ? 'IP' : 'DNS'}:${host}`).join();
  const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=${hosts[0]} -days ${days}`;
  const pem = execFileSync(
    'openssl',
    [...request.split(' '), '-addext', `subjectAltName=${names}`, '-keyout', '-', '-out', '-'],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const [key = '', cert = ''] = pem.split(/(?=-----BEGIN CERTIFICATE)/);
  return { cert, key };
}

export const selfSigned = (...hosts: string[]): { cert: string; key: string } => selfSignedFor(1, ...hosts);
