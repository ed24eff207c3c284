import { Miner } from '../../../e2e/miner/miner';

/** Test helper: a SHA256 miner with real shares, `rate` a second at its first difficulty. */
export const startMiner = (port: number, user: string, rate = 20): Miner =>
  new Miner({ host: '127.0.0.1', port, user, algorithm: 'sha256', hashrate: 8000, rate }).start();
