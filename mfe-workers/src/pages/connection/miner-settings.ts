/** What has to be typed into a miner: address, worker name, password, and the same as lines of common software. */
import type { AlgorithmName, Connection } from '@pool/shared';

export type Wish = {
  /** Name of the worker, the part after `account.`. */
  name: string;
  /** Share difficulty to ask for; null leaves it to the pool. */
  difficulty: number | null;
};

export type MinerSettings = { url: string; tlsUrl: string | null; user: string; password: string };

/** Stands for the account's miner password, which the server never returns. */
const SECRET = 'PASSWORD';

export function minerSettings(
  { host, port, tlsPort, exampleUser, passwordSet }: Connection,
  wish: Wish,
): MinerSettings {
  const account = exampleUser.split('.')[0] ?? exampleUser;
  const parts = [...(wish.difficulty === null ? [] : [`d=${wish.difficulty}`]), ...(passwordSet ? [SECRET] : [])];
  return {
    url: `stratum+tcp://${host}:${port}`,
    tlsUrl: tlsPort === null ? null : `stratum+ssl://${host}:${tlsPort}`,
    user: `${account}.${wish.name}`,
    // Any password is accepted, but miners ask for one.
    password: parts.join(',') || 'x',
  };
}

/** Everything in one URI, which miner apps read from a QR code. The miner password is left out. */
export function minerUri({ url, user, password }: MinerSettings): string {
  const shown = password.includes(SECRET) ? '' : `:${encodeURIComponent(password)}`;
  return url.replace('://', `://${user}${shown}@`);
}

type Line = { software: string; algorithms: readonly AlgorithmName[]; text(settings: MinerSettings): string };

const command =
  (program: string) =>
  ({ url, user, password }: MinerSettings): string =>
    `${program} -o ${url} -u ${user} -p ${password}`;
const SHA: readonly AlgorithmName[] = ['SHA256_ASICBOOST'];
const SCRYPT: readonly AlgorithmName[] = ['SCRYPT'];

/** `software` is a proper name, the same in every language. */
const LINES: readonly Line[] = [
  { software: 'cgminer', algorithms: SHA, text: command('cgminer') },
  { software: 'BFGMiner', algorithms: SHA, text: command('bfgminer') },
  { software: 'cpuminer', algorithms: SHA, text: command('minerd -a sha256d') },
  { software: 'cpuminer', algorithms: SCRYPT, text: command('minerd -a scrypt') },
  { software: 'ccminer', algorithms: SCRYPT, text: command('ccminer -a scrypt') },
  {
    software: 'cgminer.conf (Antminer, Avalon, L7)',
    algorithms: [...SHA, ...SCRYPT],
    text: ({ url, user, password }) => JSON.stringify({ pools: [{ url, user, pass: password }] }, null, 2),
  },
  {
    software: 'Braiins OS (bosminer.toml)',
    algorithms: SHA,
    text: ({ url, user, password }) =>
      ['[[group]]', 'name = "Default"', '', '[[group.pool]]']
        .concat(Object.entries({ url, user, password }).map(([name, value]) => `${name} = ${JSON.stringify(value)}`))
        .join('\n'),
  },
];

export const linesFor = (algorithm: AlgorithmName): Line[] =>
  LINES.filter(({ algorithms }) => algorithms.includes(algorithm));
