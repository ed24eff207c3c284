/** Certificate and key of the TLS ports, reloaded when the files change, while miners stay connected. */
import { readFile, stat } from 'node:fs/promises';
import { X509Certificate } from 'node:crypto';
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

/** Differs when a file was written or replaced. */
const versionOf = async ({ cert, key }: CertificateFiles): Promise<string> => {
  const found = await Promise.all([cert, key].map((file) => stat(file).catch(() => null)));
  return found.map((each) => each && `${each.ino} ${each.mtimeMs} ${each.size}`).join();
};

export class Certificate {
  private readonly listeners = new Set<(pair: Pair) => void>();
  private readonly timer: NodeJS.Timeout;
  private readonly onSignal = (): void => {
    void this.reload();
  };

  private constructor(
    public pair: Pair,
    private version: string,
    private readonly files: CertificateFiles,
    private readonly log: Logger,
  ) {
    this.timer = setInterval(() => void this.reloadWhenChanged(), files.everyMs ?? EVERY_MS).unref();
    process.on('SIGHUP', this.onSignal);
  }

  /** Rejects when the files cannot be read or do not belong together. */
  static async open(files: CertificateFiles, log: Logger): Promise<Certificate> {
    // The time is taken before the files are read: a change in between is seen at the first check.
    const version = await versionOf(files);
    return new Certificate(await readPair(files), version, files, log);
  }

  /** When the certificate in use expires, Unix seconds. */
  get expiresAt(): number {
    return Date.parse(new X509Certificate(this.pair.cert).validTo) / 1000;
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
    clearInterval(this.timer);
    process.off('SIGHUP', this.onSignal);
    this.listeners.clear();
  }

  private async reloadWhenChanged(): Promise<void> {
    const version = await versionOf(this.files);
    if (version === this.version) return;
    this.version = version;
    await this.reload();
  }
}
