/** Where the pool's address is typed, in the machine's own English names. docs/interop.md has what states them. */
import type { AlgorithmName } from '@pool/shared';

/** What is typed: the whole address, its parts, the worker's name, the password. */
export type What = 'url' | 'host' | 'port' | 'user' | 'password';
export type Screen = {
  /** Its page: in a browser at the machine's address, with the password it leaves the factory with; or of its own Wi-Fi. */
  at: { sign?: readonly [user: string, password: string] } | { wifi: string; password: string };
  menu: readonly string[];
  fields: readonly (readonly [label: string, what: What])[];
  save: string;
  /** Pressed after saving: without it the old pool stays in use. */
  restart?: string;
};

const url = (address: string, worker: string, password = 'Password') =>
  [
    [address, 'url'],
    [worker, 'user'],
    [password, 'password'],
  ] as const;
const parts = (host: string, port: string, worker: string, password: string) =>
  [
    [host, 'host'],
    [port, 'port'],
    [worker, 'user'],
    [password, 'password'],
  ] as const;
const ROOT = { sign: ['root', 'root'] } as const;

export const SCREENS = {
  antminer: {
    at: ROOT,
    menu: ['Settings', 'Pool 1'],
    fields: url('URL', 'Worker'),
    save: 'Save',
  },
  bmminer: {
    at: ROOT,
    menu: ['Miner Configuration', 'General Settings', 'Pool 1'],
    fields: url('URL', 'Worker'),
    save: 'Save&Apply',
  },
  whatsminer: {
    at: { sign: ['admin', 'admin'] },
    menu: ['Configuration', 'Miner Configuration'],
    fields: url('Pool 1', 'Pool1 worker', 'Pool1 password'),
    save: 'Save & Apply',
  },
  avalon: {
    at: ROOT,
    menu: ['Cgminer Configuration', 'General Settings'],
    fields: url('Pool 1', 'Pool1 worker', 'Pool1 password'),
    save: 'Save & Apply',
  },
  braiins: {
    at: { sign: ['root', ''] },
    menu: ['Miner', 'Configuration', 'Pool Groups'],
    fields: url('URL', 'Username'),
    save: 'Save & Apply',
  },
  vnish: {
    at: { sign: ['admin', 'admin'] },
    menu: ['Settings', 'Pools'],
    fields: url('URL', 'Worker'),
    save: 'Save',
  },
  luxos: {
    at: {},
    menu: ['Configure', 'Pools'],
    fields: url('URL', 'Username'),
    save: 'Save',
  },
  axeos: {
    at: {},
    menu: ['Pool'],
    fields: parts('Stratum Host', 'Stratum Port', 'User', 'Password'),
    save: 'Save',
    restart: 'Restart',
  },
  nerdqaxe: {
    at: {},
    menu: ['Settings'],
    fields: parts('Stratum URL', 'Stratum Port', 'Stratum User', 'Stratum Password'),
    save: 'Save',
    restart: 'Restart',
  },
  nerdminer: {
    at: { wifi: 'NerdMinerAP', password: 'MineYourCoins' },
    menu: ['Configure WiFi'],
    fields: parts('Pool url', 'Pool port', 'Your BTC address', 'Pool password'),
    save: 'Save',
  },
} as const satisfies Record<string, Screen>;

type Model = { id: string; name: string; screen: keyof typeof SCREENS; algorithm: AlgorithmName };
const of = (screen: Model['screen'], algorithm: AlgorithmName, models: Readonly<Record<string, string>>): Model[] =>
  Object.entries(models).map(([id, name]) => ({ id, name, screen, algorithm }));
const SHA = 'SHA256_ASICBOOST';

/** Models by maker, in the order of the page. Ids are in addresses: keep them. */
export const MODELS: readonly Model[] = [
  ...of('antminer', SHA, {
    s21: 'Antminer S21, S21 Pro',
    t21: 'Antminer T21',
    's19-xp': 'Antminer S19 XP',
    s19: 'Antminer S19, S19 Pro, S19j Pro',
    t19: 'Antminer T19',
  }),
  ...of('bmminer', SHA, { s17: 'Antminer S17, T17', s9: 'Antminer S9' }),
  ...of('antminer', 'SCRYPT', { l9: 'Antminer L9', l7: 'Antminer L7' }),
  ...of('bmminer', 'SCRYPT', { l3: 'Antminer L3+' }),
  ...of('braiins', SHA, { braiins: 'Antminer, Braiins OS' }),
  ...of('vnish', SHA, { vnish: 'Antminer, Vnish' }),
  ...of('luxos', SHA, { luxos: 'Antminer, LuxOS' }),
  ...of('whatsminer', SHA, {
    m60: 'Whatsminer M60, M60S',
    m50: 'Whatsminer M50, M50S',
    m30: 'Whatsminer M30S, M30S++',
    m20: 'Whatsminer M20S, M21S',
  }),
  ...of('avalon', SHA, { a10: 'Avalon A10', a9: 'Avalon A9, A8' }),
  ...of('axeos', SHA, { gamma: 'Bitaxe Gamma', supra: 'Bitaxe Supra', ultra: 'Bitaxe Ultra' }),
  ...of('nerdqaxe', SHA, { nerdqaxe: 'NerdQAxe+, NerdQAxe++', nerdaxe: 'NerdAxe' }),
  ...of('nerdminer', SHA, { nerdminer: 'NerdMiner' }),
];

/** Models of which nothing public states the names: those of their screen are of similar machines, and the page says so. */
const BY_ANALOGY = ['s21', 't21', 's19-xp', 't19', 'l9', 'l7', 'vnish', 'luxos', 'm60', 'm50', 'm20', 'a10'];
export const isByAnalogy = ({ id }: Model): boolean => BY_ANALOGY.includes(id);
