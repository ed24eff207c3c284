/** Makes the shell's pages from templates, with the built scripts and styles inserted (shared/src/contract/dist-layout.ts). */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { buildSync, transformSync } from 'esbuild';
import { EARLY_TEXTS, type ShellManifest } from '../../shared/src/contract/dist-layout';
import { PALETTES } from '../../shared/src/ui/core/theme/palette';
import { writeCompressed } from './compress';
import { LANGUAGES } from '../../shared/src/i18n/languages';
import { PALETTE_STYLES } from '../../shared/src/ui/core/theme/variables';
import { DIST, filesBelow, hashOf, readJson, ROOT, sha256, writeFileWhole, writeJson } from './files';
import { outputOf, factsOf } from './units';

const installedForShared = createRequire(path.join(ROOT, 'shared/package.json'));

/** Copies a file to the assets, under a name with its hash; returns its address. */
function publishAsset(shell: string, file: string): string {
  const content = readFileSync(file);
  const { name, ext } = path.parse(file);
  const address = assetUrl(`${name}.${hashOf([content]).slice(0, 8)}${ext}`);
  writeFileWhole(path.join(shell, address), content);
  return address;
}

/** The rules of the web fonts. They stand in the head of each page: later ones would make the browser lay out all texts again. */
const publishFonts = (shell: string): string =>
  minifiedStyles(
    readFileSync(path.join(ROOT, 'shared/src/ui/fonts.css'), 'utf8').replaceAll(
      /url\('(.+?)'\)/g,
      (_, file: string) => `url(${publishAsset(shell, installedForShared.resolve(file))})`,
    ),
  );

/** iOS asks for it at this address when no page names another. */
const TOUCH_ICON = 'apple-touch-icon.png';

/** The web app manifest and its icons, with which a browser installs the pool as an app. */
function publishAppManifest(shell: string): void {
  writeFileWhole(path.join(shell, TOUCH_ICON), readFileSync(path.join(SOURCES, 'icons', TOUCH_ICON)));
  const manifest = source('app.webmanifest')
    .replaceAll('{{background}}', PALETTES.dark.bg)
    .replaceAll(/icons\/[\w-]+\.png/g, (icon) => publishAsset(shell, path.join(SOURCES, icon)));
  writeFileWhole(path.join(shell, 'manifest.webmanifest'), manifest);
}

const assetUrl = (name: string): string => `/assets/${name}`;

/** `fonts`: the rules of the web fonts; `fontsFile`: the same as a file, for pages of watcher links (web/pages.ts). */
type Inserted = { files: ShellManifest['files']; fonts: string; fontsFile: string; dev: boolean };

function page(unit: 'shell' | 'landing', template: string, { files, fonts, fontsFile, dev }: Inserted): string {
  // Styles first: the skeleton is painted before they have loaded, while the scripts still wait for them.
  const isStyle = (name: string): boolean => name.endsWith('.css');
  const entry = factsOf(unit, dev).entry.toSorted((a, b) => Number(isStyle(b)) - Number(isStyle(a)));
  // Each unit of `npm run dev` has a folder of its own (webpack.base.cjs); its files change, so they have no integrity hash.
  const asset = (name: string): string => (dev ? `/__dev/${unit}/${name}` : assetUrl(name));
  const integrity = (name: string): string => (dev ? '' : ` integrity="${files[asset(name)]}"`);
  const tags = entry.map((name) =>
    isStyle(name)
      ? `<link rel="stylesheet" href="${asset(name)}">`
      : `<script defer nonce="{{nonce}}" src="${asset(name)}"${integrity(name)}></script>`,
  );
  // Hashes of the scripts that the shell loads later (shell/src/remotes/integrity.ts).
  const later = (dev ? [] : filesBelow(outputOf(unit)))
    .filter((name) => name.endsWith('.js') && !entry.includes(name))
    .map((name) => [asset(name), files[asset(name)]]);
  const preloads = entry.map((name) =>
    isStyle(name)
      ? `<link rel="preload" as="style" href="${asset(name)}">`
      : `<link rel="preload" as="script" href="${asset(name)}"${integrity(name)}>`,
  );
  return template
    .replace('<!--build:preload-->', () => preloads.join('\n    '))
    .replace('<!--build:tags-->', () => tags.join('\n    '))
    .replace('{{files}}', () => JSON.stringify(Object.fromEntries(later)))
    .replace('/*build:inline*/', inlineScript)
    .replace('{{fonts}}', () => fontsFile)
    .replace('/*build:fonts*/', () => fonts)
    .replace('/*build:skeleton*/', () =>
      minifiedStyles(PALETTE_STYLES + source('skeleton/base.css') + source(`skeleton/${unit}.css`)),
    );
}

const SOURCES = path.join(ROOT, 'shell/src');
const source = (name: string): string => readFileSync(path.join(SOURCES, name), 'utf8');

/** The texts the page can show before any of its scripts has loaded. */
function earlyTexts(): string {
  const texts = LANGUAGES.map((language) => {
    const all = readJson<Record<string, string>>(path.join(ROOT, `shell/locales/${language}.json`));
    return [language, EARLY_TEXTS.map((key) => all[key])];
  });
  return JSON.stringify(Object.fromEntries(texts));
}

function inlineScript(): string {
  const { outputFiles } = buildSync({
    entryPoints: [path.join(ROOT, 'shell/src/boot-inline.ts')],
    write: false,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    define: { TEXTS: earlyTexts() },
  });
  return outputFiles[0]!.text.trim();
}

const minifiedStyles = (styles: string): string => transformSync(styles, { loader: 'css', minify: true }).code.trim();

const inlineScripts = (html: string): string[] =>
  [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, code = '']) => sha256(Buffer.from(code)));

async function publishAssets(shell: string, compressed: boolean): Promise<ShellManifest['files']> {
  const files: ShellManifest['files'] = {};
  // A first start waits for the files alone.
  const write = compressed ? writeCompressed : writeFileWhole;
  const writing: unknown[] = [];
  for (const unit of ['shell', 'landing'] as const) {
    for (const name of filesBelow(outputOf(unit))) {
      const content = readFileSync(path.join(outputOf(unit), name));
      files[assetUrl(name)] = sha256(content);
      writing.push(write(path.join(shell, assetUrl(name)), content));
    }
  }
  await Promise.all(writing);
  return files;
}

/** Writes the worker with its build's name. Null (`npm run dev`): no worker is written, and browsers remove theirs. */
function publishServiceWorker(shell: string, build: string | null): void {
  const target = path.join(shell, 'service-worker.js');
  const from = outputOf('service-worker');
  if (build === null || !existsSync(from)) return rmSync(target, { force: true });
  const code = readFileSync(path.join(from, factsOf('service-worker').entry[0] ?? ''), 'utf8');
  writeFileWhole(target, `self.poolBuild=${JSON.stringify(build)};\n${code}`);
}

/** Writes the shell's pages. Old assets are kept, for pages that are open. `dev`: of development builds. */
export async function publishShell({ dist = DIST, dev = false, compressed = true } = {}): Promise<void> {
  const shell = path.join(dist, 'shell');
  const files = dev ? {} : await publishAssets(shell, compressed);
  publishAppManifest(shell);
  const fonts = publishFonts(shell);
  const fontsFile = assetUrl(`fonts.${hashOf([fonts]).slice(0, 8)}.css`);
  writeFileWhole(path.join(shell, fontsFile), fonts);
  for (const file of [fontsFile, ...(fonts.match(/\/assets\/[\w.-]+/g) ?? [])])
    files[file] = sha256(readFileSync(path.join(shell, file)));
  const inserted = { files, fonts, fontsFile, dev };
  const whole = page('shell', source('app.html'), inserted);
  const build = dev ? null : hashOf([whole]);
  const app = whole.replace('{{name}}', JSON.stringify(build));
  const landing = page('landing', source('landing/landing.html'), inserted);
  // What remotes can rely on, which publishing one compares (scripts/remotes/checks.ts).
  writeFileWhole(path.join(shell, 'surface.txt'), readFileSync(path.join(ROOT, 'shared/surface.txt')));
  writeFileWhole(path.join(shell, 'app.html'), app);
  writeFileWhole(path.join(shell, 'landing.html'), landing);
  publishServiceWorker(shell, build);
  writeJson(path.join(shell, 'manifest.json'), {
    pages: { app: 'app.html', landing: 'landing.html' },
    scriptHashes: [...new Set([...inlineScripts(app), ...inlineScripts(landing)])],
    files,
  } satisfies ShellManifest);
}
