/** Machines by model, with the nominal hashrate and efficiency of the maker's data sheet (`source`). */
import type { AlgorithmName } from './algorithms';

type Machine = {
  name: string;
  algorithm: AlgorithmName;
  /** H/s */
  hashrate: number;
  /** Watts at the wall. */
  watts: number;
  source: string;
};

const TH = 1e12;
const GH = 1e9;

/** `joules`: per terahash. */
const sha256 = (name: string, terahash: number, joules: number, source: string): Machine => ({
  name,
  algorithm: 'SHA256_ASICBOOST',
  hashrate: terahash * TH,
  watts: Math.round(terahash * joules),
  source,
});
/** `joules`: per gigahash. */
const scrypt = (name: string, gigahash: number, joules: number, source: string): Machine => ({
  name,
  algorithm: 'SCRYPT',
  hashrate: gigahash * GH,
  watts: Math.round(gigahash * joules),
  source,
});

const MACHINES: readonly Machine[] = [
  sha256('Antminer S21 XP', 270, 13.5, 'Bitmain: Antminer S21 XP, 270 TH/s, 13.5 J/TH'),
  sha256('Antminer S21 Pro', 234, 15, 'Bitmain: Antminer S21 Pro, 234 TH/s, 15 J/TH'),
  sha256('Antminer S21+', 216, 16.5, 'Bitmain: Antminer S21+, 216 TH/s, 16.5 J/TH'),
  sha256('Antminer S21', 200, 17.5, 'Bitmain: Antminer S21, 200 TH/s, 17.5 J/TH'),
  sha256('Antminer S19 XP', 140, 21.5, 'Bitmain: Antminer S19 XP, 140 TH/s, 21.5 J/TH'),
  sha256('Antminer S19j Pro', 104, 29.5, 'Bitmain: Antminer S19j Pro, 104 TH/s, 29.5 J/TH'),
  sha256('Whatsminer M60S', 186, 18.5, 'MicroBT: Whatsminer M60S, 186 TH/s, 18.5 J/TH'),
  sha256('Whatsminer M66S', 298, 18.5, 'MicroBT: Whatsminer M66S, 298 TH/s, 18.5 J/TH'),
  scrypt('Antminer L9', 16, 210, 'Bitmain: Antminer L9, 16 GH/s, 0.21 J/MH'),
  scrypt('Antminer L7', 9.5, 360, 'Bitmain: Antminer L7, 9.5 GH/s, 0.36 J/MH'),
];

export const machinesOf = (algorithm: AlgorithmName): Machine[] =>
  MACHINES.filter((machine) => machine.algorithm === algorithm);

/** Models of which the figures are others, by the words behind a name that is listed. */
const OTHERS = '(?![ _.-]?(hyd|imm|plus|pro|xp))';
const PATTERNS = MACHINES.map((machine) => {
  const [, ...words] = machine.name.split(' ');
  const name = words.map((word) => word.replace('+', '\\+')).join('[ _.-]?');
  return { machine, pattern: new RegExp(`(?<![a-z0-9])${name}${OTHERS}(?![a-z0-9+])`, 'i') };
});

/** The machine whose model a text names, such as that of its software or of a worker; without its maker is enough. */
export const machineIn = (algorithm: AlgorithmName, text: string): Machine | undefined =>
  PATTERNS.find(({ machine, pattern }) => machine.algorithm === algorithm && pattern.test(text))?.machine;
