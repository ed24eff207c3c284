/** The pages' templates of the build; a new build is noticed without a restart. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ShellManifest } from '@pool/shared/build';
import type { PublicConfig } from '@pool/shared/config';

/** `watch`: of a watcher link. */
type Page = keyof ShellManifest['pages'] | 'watch';
export type Templates = {
  /** Texts, and the marks between them that are replaced. */
  pages: Record<Page, string[]>;
  scriptHashes: string[];
  files: ShellManifest['files'];
  builtAt: number;
};

const CHECK_MS = 1000;
const MARKS = /(\{\{nonce\}\}|\{\{config\}\}|<!--pool:view-->|<!--pool:head-->)/;

export class TemplateStore {
  private known: Templates | null = null;
  private checkedAt = -Infinity;

  constructor(private readonly folder: string) {}

  /** Null before the first build. */
  read(): Templates | null {
    if (performance.now() - this.checkedAt < CHECK_MS) return this.known;
    this.checkedAt = performance.now();
    const file = join(this.folder, 'manifest.json');
    const builtAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (builtAt === undefined) return (this.known = null);
    if (this.known?.builtAt === builtAt) return this.known;
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

/** `view`: what is seen until the scripts have loaded. */
export function renderTemplate(
  template: readonly string[],
  config: PublicConfig,
  { head, view }: { head: string; view: string },
): string {
  const marks: Readonly<Record<string, string>> = {
    '{{nonce}}': config.nonce,
    '{{config}}': JSON.stringify(config).replaceAll('<', '\\u003c'),
    '<!--pool:view-->': view,
    '<!--pool:head-->': head,
  };
  return template.map((part) => marks[part] ?? part).join('');
}

/** A font's rule in the page would send the page's address with the request, whatever its referrer policy. */
const withoutFontRules = (template: string): string =>
  template.replace(/<style [^>]*data-file="([^"]+)">[^<]*<\/style>/, '<link rel="stylesheet" href="$1">');
