/** The pages' templates of the build; a new build is noticed without a restart. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ShellManifest } from '@pool/shared/build';
import type { PublicConfig } from '@pool/shared/config';

type Page = keyof ShellManifest['pages'] | 'watch';
export type Templates = {
  pages: Record<Page, string[]>;
  scriptHashes: string[];
  files: ShellManifest['files'];
  builtAt: number;
};

const CHECK_MS = 1000;
const VIEW_HEAD = '<!--pool:view-head-->';
const MARKS = /(\{\{nonce\}\}|\{\{config\}\}|<!--pool:(?:head|view|view-head)-->)/;

export class TemplateStore {
  private known: Templates | null = null;
  private checkedAt = -Infinity;

  constructor(private readonly folder: string) {}

  /** Rejects while there is no build, or a broken one. */
  async needed(): Promise<Templates> {
    return this.read() ?? Promise.reject(new Error('the pages are not built'));
  }

  read(): Templates | null {
    if (performance.now() - this.checkedAt < CHECK_MS) return this.known;
    this.checkedAt = performance.now();
    const file = join(this.folder, 'manifest.json');
    const builtAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (builtAt === undefined) return (this.known = null);
    if (this.known?.builtAt === builtAt) return this.known;
    // A build that cannot be read has no pages until it is whole.
    this.known = null;
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as ShellManifest;
    const page = (name: keyof ShellManifest['pages']) => readFileSync(join(this.folder, manifest.pages[name]), 'utf8');
    const app = page('app');
    const [landing, watch] = [page('landing'), withoutFontRules(app)];
    this.known = {
      pages: { app: app.split(MARKS), landing: landing.split(MARKS), watch: watch.split(MARKS) },
      scriptHashes: manifest.scriptHashes,
      files: manifest.files,
      builtAt,
    };
    return this.known;
  }
}

/** What is seen until the scripts have loaded, and what it needs in the head. */
export type PageView = { head: string; body: string };

/** The page in two parts: what its browser should load, which waits for nothing, and the rest with its view. */
export function renderTemplate(template: readonly string[], config: PublicConfig, head: string) {
  const render = (parts: readonly string[], view?: PageView | null): string => {
    const marks: Readonly<Record<string, string>> = {
      '{{nonce}}': config.nonce,
      '{{config}}': JSON.stringify(config).replaceAll('<', '\\u003c'),
      '<!--pool:head-->': head,
      [VIEW_HEAD]: view?.head ?? '',
      '<!--pool:view-->': view?.body ?? '',
    };
    return parts.map((part) => marks[part] ?? part).join('');
  };
  const at = Math.max(0, template.indexOf(VIEW_HEAD));
  return { start: render(template.slice(0, at)), rest: (view: PageView | null) => render(template.slice(at), view) };
}

/** A font's rule in the page would send the page's address with the request, whatever its referrer policy. */
const withoutFontRules = (template: string): string =>
  template.replace(/<style [^>]*data-file="([^"]+)">[^<]*<\/style>/, '<link rel="stylesheet" href="$1">');
