/** The settings of a miner as lines of common software. */
import { minerOptions, type AlgorithmName, type MinerSettings } from '@pool/shared';

type Line = { software: string; algorithms: readonly AlgorithmName[]; text(settings: MinerSettings): string };

const command = (program: string) => (settings: MinerSettings) => `${program} ${minerOptions(settings)}`;
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
