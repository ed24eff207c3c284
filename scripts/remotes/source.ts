/** Reads `remote.json` and the remote's texts, and checks them before it is built and before it is published. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { CONTRACT } from '../../shared/src/contract';
import { LANGUAGES } from '../../shared/src/i18n/languages';
import {
  faultsOf,
  hasPage,
  isBelow,
  isTextOf,
  linksOf,
  remoteSource,
  type RemoteSource,
} from '../../shared/src/contract/remote-schema';
import { readJson, ROOT } from '../build/files';
import { faultsOfBadges } from './badges';
import { faultsOfKeys, faultsOfPages, type Other } from './others';
import { pagesBelow, routesOf } from './routes';
import { isTeams } from './team';

type Texts = Record<string, string>;

/** A text with a count has several forms; `npm run i18n:check` knows which ones a language needs. */
const isText = (texts: Texts, key: string): boolean => !!(texts[key] ?? texts[`${key}_other`])?.trim();

function faultsOfTexts(remote: RemoteSource, folder: string): string[] {
  const { name } = remote;
  const needed = [
    ...linksOf(remote).flatMap(({ texts }) => Object.values(texts)),
    ...(remote.slots ?? []).map(({ label }) => label),
    ...(remote.flags ?? []),
    ...Object.keys(remote.subjects ?? {}),
  ];
  return LANGUAGES.flatMap((language) => {
    const file = path.join(folder, 'locales', `${language}.json`);
    const texts = existsSync(file) ? readJson<Texts>(file) : {};
    return [
      ...needed.filter((key) => !isText(texts, key)).map((key) => `locales/${language}.json: no text '${key}'`),
      ...Object.keys(texts)
        .filter((key) => !isTextOf(name, key))
        .map(
          (key) => `locales/${language}.json: '${key}' is not a text of this remote: its keys begin with '${name}.'`,
        ),
    ];
  });
}

function faultsOfLinks(remote: RemoteSource): string[] {
  const { name, basePath } = remote;
  const pages = pagesBelow(basePath, routesOf(name));
  return linksOf(remote).flatMap(({ at, path: link }) =>
    // A link to another site has no page here.
    link.startsWith('https://') || hasPage({ basePath, pages }, link.replace(/\?.*$/, ''))
      ? []
      : [`remote.json: ${z.core.toDotPath(at)}: src/routes.tsx has no route for ${link}`],
  );
}

const faultsOfSlots = ({ slots = [] }: RemoteSource, folder: string): string[] =>
  slots.flatMap(({ part }, index) =>
    ['tsx', 'jsx', 'js'].some((ending) => existsSync(path.join(folder, `src/slots/${part}.${ending}`)))
      ? []
      : [`remote.json: slots[${index}].part: there is no src/slots/${part}.tsx`],
  );

const others = (unit: string): Other[] =>
  readdirSync(ROOT)
    .filter((other) => other.startsWith('mfe-') && other !== unit)
    .map((other) => path.join(ROOT, other, 'remote.json'))
    .filter((file) => existsSync(file))
    .map((file) => readJson<Other>(file));

/** `remote.json` of `mfe-<name>`; throws one line per fault. `known`: more remotes whose paths it must not take. */
export function readRemote(name: string, known: readonly Other[] = []): RemoteSource {
  const folder = path.join(ROOT, `mfe-${name}`);
  const read = remoteSource(name).safeParse(readJson(path.join(folder, 'remote.json')));
  const faults = read.error ? faultsOf(read.error).map((fault) => `remote.json: ${fault}`) : [];
  if (read.data) {
    const { contract, basePath } = read.data;
    if (contract !== CONTRACT)
      faults.push(`remote.json: contract: ${contract}, but the contract of this checkout's shared is ${CONTRACT}`);
    const beside = [...others(`mfe-${name}`), ...known].filter((other) => other.name !== name);
    const taker = beside.find((other) => isBelow(basePath, other.basePath) || isBelow(other.basePath, basePath));
    if (taker) faults.push(`remote.json: basePath: ${basePath} is taken by '${taker.name}' (${taker.basePath})`);
    faults.push(...faultsOfTexts(read.data, folder), ...faultsOfLinks(read.data), ...faultsOfBadges(read.data));
    faults.push(...faultsOfSlots(read.data, folder));
    faults.push(...faultsOfPages(path.join(folder, 'src'), beside));
    // The pool's own remotes share what they ask for.
    if (isTeams()) faults.push(...faultsOfKeys(path.join(folder, 'src'), name, beside));
  }
  if (!read.data || faults.length > 0) throw new Error(faults.map((fault) => `mfe-${name}/${fault}`).join('\n'));
  return read.data;
}
