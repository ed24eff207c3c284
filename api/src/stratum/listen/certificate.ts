/**
 * Certificate and key of the TLS ports, reloaded when the files change: certificates are renewed every few weeks while
 * miners stay connected.
 */
import { readFile } from 'node:fs/promises';
import { unwatchFile, watchFile } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Logger } from 'pino';

/** PEM. */
export type Pair = { cert: Buffer; key: Buffer };
export type CertificateFiles = { cert: string; key: string; everyMs?: number };

const EVERY_MS = 30_000;

const readPair = async ({ cert, key }: CertificateFiles): Promise<Pair> => {
  const pair = { cert: await readFile(cert), key: await readFile(key) };
  // Throws unless the two belong together.
  createSecureContext(pair);
  return pair;
};

export class Certificate {
  private readonly listeners = new Set<(pair: Pair) => void>();
  private readonly onFile = (): void => {
    void this.reload();
  };
  private readonly onSignal = (): void => {
    void this.reload();
  };

  private constructor(
    public pair: Pair,
    private readonly files: CertificateFiles,
    private readonly log: Logger,
  ) {
    for (const file of [files.cert, files.key])
      watchFile(file, { persistent: false, interval: files.everyMs ?? EVERY_MS }, this.onFile);
    process.on('SIGHUP', this.onSignal);
  }

  /** Rejects when the files cannot be read or do not belong together. */
  static async open(files: CertificateFiles, log: Logger): Promise<Certificate> {
    return new Certificate(await readPair(files), files, log);
  }

  onChange(listener: (pair: Pair) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Reloads the files. Half-written files, or a key that does not match the certificate, keep the pair in use. */
  async reload(): Promise<void> {
    try {
      this.pair = await readPair(this.files);
      for (const listener of this.listeners) listener(this.pair);
      this.log.info('certificate of the TLS ports reloaded');
    } catch (error) {
      this.log.warn({ err: error }, 'certificate of the TLS ports cannot be used; the previous one stays in use');
    }
  }

  close(): void {
    for (const file of [this.files.cert, this.files.key]) unwatchFile(file, this.onFile);
    process.off('SIGHUP', this.onSignal);
    this.listeners.clear();
  }
}
