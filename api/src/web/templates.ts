/** The pages' templates of the build; a new build is noticed without a restart. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ShellManifest } from '@pool/shared/build';
import type { PublicConfig } from '@pool/shared/config';

type Page = keyof ShellManifest['pages'];
export type Templates = {
  pages: Record<Page, string>;
  scriptHashes: string[];
  files: ShellManifest['files'];
  builtAt: number;
};

const CHECK_MS = 1000;

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
    const page = (name: Page): string => readFileSync(join(this.folder, manifest.pages[name]), 'utf8');
    this.known = {
      pages: { app: page('app'), landing: page('landing') },
      scriptHashes: manifest.scriptHashes,
      files: manifest.files,
      builtAt,
    };
    return this.known;
  }
}

/** `view`: what is seen until the scripts have loaded. */
export function renderTemplate(template: string, config: PublicConfig, parts: { head: string; view: string }): string {
  // Functions, because `$` is special in a replacement string.
  return template
    .replaceAll('{{nonce}}', () => config.nonce)
    .replace('{{config}}', () => JSON.stringify(config).replaceAll('<', '\\u003c'))
    .replace('<!--pool:view-->', () => parts.view)
    .replace('<!--pool:head-->', () => parts.head);
}

/**
 * Browsers name the page in the request of a font whose rule is in the page itself, whatever its referrer policy. In a
 * file of its own the rule names that file.
 */
export const withoutFontRules = (template: string): string =>
  template.replace(/<style [^>]*data-file="([^"]+)">[^<]*<\/style>/, '<link rel="stylesheet" href="$1">');
