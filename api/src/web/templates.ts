/** The pages' templates of the build; a new build is noticed without a restart. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ShellManifest } from '@pool/shared/build';

export type Page = keyof ShellManifest['pages'];
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
