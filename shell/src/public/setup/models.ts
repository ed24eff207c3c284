/** Where the pool's address is typed, in the machine's own English names. `source` is what states them. */
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
  source: string;
};

const url = (address: string, worker: string, password = 'Password') =>
  [
    [address, 'url'],
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
    source:
      'github.com/econoalchemist/UpstreamData-Startup: S19 Pro, menu, sign-in and button; fields as in its API. S21, T21, ' +
      'S19 XP, T19, L7, L9: by analogy; github.com/UpstreamData/pyasic drives them as it does the S19 (AntminerModern)',
  },
  bmminer: {
    at: ROOT,
    menu: ['Miner Configuration', 'General Settings', 'Pool 1'],
    fields: url('URL', 'Worker'),
    save: 'Save&Apply',
    source: 'Pages of Bitmain’s firmware of 2013 to 2019 (minerConfiguration.cgi)',
  },
  whatsminer: {
    at: { sign: ['admin', 'admin'] },
    menu: ['Configuration', 'Miner Configuration'],
    fields: url('Pool 1', 'Pool1 worker', 'Pool1 password'),
    save: 'Save & Apply',
    source:
      'github.com/econoalchemist/UpstreamData-Startup: M30S; the firmware’s LuCI form: “CGMiner Configuration” before. ' +
      'M20, M50, M60: by analogy',
  },
  avalon: {
    at: ROOT,
    menu: ['Cgminer Configuration', 'General Settings'],
    fields: url('Pool 1', 'Pool1 worker', 'Pool1 password'),
    save: 'Save & Apply',
    source: 'Canaan’s LuCI form of the controller (luci.controller.cgminer) of A8 and A9. A10: by analogy',
  },
  braiins: {
    at: { sign: ['root', ''] },
    menu: ['Miner', 'Configuration', 'Pool Groups'],
    fields: url('URL', 'Username'),
    save: 'Save & Apply',
    source: 'Braiins OS+ documentation, Pool Settings (Miner > Configuration; url, user, password)',
  },
  vnish: {
    at: { sign: ['admin', 'admin'] },
    menu: ['Settings', 'Pools'],
    fields: url('URL', 'Worker'),
    save: 'Save',
    source:
      'github.com/UpstreamData/pyasic (web/vnish.py): sign-in, and that pools are in its settings. Names: by analogy',
  },
  luxos: {
    at: {},
    menu: ['Configure', 'Pools'],
    fields: url('URL', 'Username'),
    save: 'Save',
    source:
      'docs.luxor.tech/firmware: section Configure; groups of pools, tried from top to bottom. Fields and ' +
      'button: by analogy',
  },
  axeos: {
    at: {},
    menu: ['Pool'],
    fields: [
      ['Stratum Host', 'host'],
      ['Stratum Port', 'port'],
      ['User', 'user'],
      ['Password', 'password'],
    ],
    save: 'Save',
    restart: 'Restart',
    source: 'github.com/bitaxeorg/ESP-Miner, pool.component.html',
  },
  nerdqaxe: {
    at: {},
    menu: ['Settings'],
    fields: [
      ['Stratum URL', 'host'],
      ['Stratum Port', 'port'],
      ['Stratum User', 'user'],
      ['Stratum Password', 'password'],
    ],
    save: 'Save',
    restart: 'Restart',
    source: 'github.com/shufps/ESP-Miner-NerdQAxePlus, edit.component.html',
  },
  nerdminer: {
    at: { wifi: 'NerdMinerAP', password: 'MineYourCoins' },
    menu: ['Configure WiFi'],
    fields: [
      ['Pool url', 'host'],
      ['Pool port', 'port'],
      ['Your BTC address', 'user'],
      ['Pool password', 'password'],
    ],
    save: 'Save',
    source: 'github.com/BitMaker-hub/NerdMiner_v2, wManager.cpp',
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
