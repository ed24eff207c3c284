/** A deployed pool's answers, with one remote of this checkout in its pages, its list of remotes, its texts. */
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import type { PublicConfig } from '../../shared/src/contract/config';
import type { RemoteManifest } from '../../shared/src/contract';
import { FACTS_COOKIE } from '../../shared/src/page-start/facts';
import { ID_CONFIG } from '../../shared/src/page-start/names';
import { isBelow } from '../../shared/src/contract/remote-schema';
import { hashOf, hashOfFiles } from '../build/files';
import { textsOf } from '../build/locales';
import { besideTheCode, statsOf } from '../build/units';
import { manifestOf } from '../remotes/manifest';
import { readRemote } from '../remotes/source';

/** Where the front serves the remote's files: the shell asks for a hash of every file below `/remotes/`. */
const DEV_FOLDER = '/__dev/';

export type Answer = { status: number; headers: IncomingHttpHeaders };
type Changed = { status: number; text: string };

/** Manifest of the development build. Throws with its faults. `folderOf`: address of the files of a version. */
export function devManifest(name: string, folderOf = (_version: string) => `${DEV_FOLDER}${name}/`): RemoteManifest {
  const unit = `mfe-${name}`;
  const manifestAt = (version: string): RemoteManifest =>
    manifestOf(readRemote(name), statsOf(unit, true), { version, folder: folderOf(version), entry: 'remoteEntry.js' });
  // The server reads manifest and texts of a version once.
  const hash = hashOf([JSON.stringify(manifestAt('')), hashOfFiles(besideTheCode(unit))]);
  return manifestAt(`0.0.0-dev-${hash}`);
}

export class OwnRemote {
  manifest: RemoteManifest | null = null;

  /** `folder`: of its files, where they are those of a version. */
  constructor(
    private readonly name: string,
    private readonly pool: URL,
    private readonly folder: string | null = null,
  ) {}

  fileAt(pathname: string): string | null {
    const at = `/remotes/${this.name}/${this.manifest?.version}/`;
    return this.folder && pathname.startsWith(at) && !pathname.includes('..')
      ? join(this.folder, pathname.slice(at.length))
      : null;
  }

  /** Headers of a request as the pool's own page would send it; `own`: the address of the front. */
  asked({ host = '', ...headers }: IncomingHttpHeaders, pathname: string): IncomingHttpHeaders {
    const local = `http://${host}`;
    const elsewhere = (text: string | undefined) => text?.replace(local, this.pool.origin);
    const asked: IncomingHttpHeaders = {
      ...headers,
      host: this.pool.host,
      ...(headers.origin && { origin: elsewhere(headers.origin) }),
      ...(headers.referer && { referer: elsewhere(headers.referer) }),
    };
    if (!this.isChanged(pathname)) return asked;
    for (const name of ['if-none-match', 'if-modified-since']) delete asked[name];
    asked['accept-encoding'] = 'identity';
    // Without what is known of the browser the page comes without the view of the version that is deployed.
    if (headers.cookie) asked.cookie = headers.cookie.replace(new RegExp(`(^|; )${FACTS_COOKIE}=[^;]*`), '');
    return asked;
  }

  answered(headers: IncomingHttpHeaders, host: string): IncomingHttpHeaders {
    const { 'strict-transport-security': _, ...kept } = headers;
    const policy = headers['content-security-policy'];
    return {
      ...kept,
      ...(headers.location && { location: headers.location.replace(this.pool.origin, `http://${host}`) }),
      ...(typeof policy === 'string' && {
        'content-security-policy': policy
          .replace(/;\s*upgrade-insecure-requests/, '')
          .replace(/connect-src [^;]*/, (asks) => [asks, ...(this.manifest?.connect ?? [])].join(' ')),
      }),
      ...(headers['set-cookie'] && { 'set-cookie': headers['set-cookie'].map((each) => this.cookie(each)) }),
    };
  }

  /** Browsers take cookies of TLS hosts from localhost too, but none of another domain. */
  private readonly cookie = (text: string): string => text.replace(/;\s*domain=[^;]*/i, '');

  private isChanged(pathname: string): boolean {
    return pathname === '/api/remotes' || !/^\/(api|assets|remotes|vendor|__clerk)\//.test(pathname);
  }

  /** The body with the remote in it; null: it stays as it is. */
  changed(pathname: string, { status, headers }: Answer, text: () => Promise<string>): Promise<Changed> | null {
    const { manifest } = this;
    const type = headers['content-type'] ?? '';
    if (!manifest || !this.isChanged(pathname)) return null;
    if (pathname === '/api/remotes' && status === 200)
      return text().then((body) => ({
        status,
        text: JSON.stringify(this.listed(JSON.parse(body) as RemoteManifest[])),
      }));
    const [, file] = /^\/locales\/([\w.-]+\.json)$/.exec(pathname) ?? [];
    if (file) return this.withTexts(file, status, text);
    if (!type.startsWith('text/html')) return null;
    // The pool does not know a page that is new.
    const isOwn = status === 404 && isBelow(pathname.replace(/\/$/, ''), manifest.basePath);
    return text().then((html) => ({ status: isOwn ? 200 : status, text: this.page(html) }));
  }

  private listed(remotes: readonly RemoteManifest[]): RemoteManifest[] {
    const others = remotes.filter(({ name }) => name !== this.name);
    const order = ({ nav }: RemoteManifest) => nav[0]?.order ?? 0;
    return this.manifest ? [...others, this.manifest].sort((a, b) => order(a) - order(b)) : others;
  }

  private async withTexts(file: string, status: number, text: () => Promise<string>): Promise<Changed> {
    const own = textsOf([`mfe-${this.name}`]).get(file);
    const body = await text();
    if (!own) return { status, text: body };
    const deployed = status === 200 ? (JSON.parse(body) as object) : {};
    return { status: 200, text: JSON.stringify({ ...deployed, ...own }) };
  }

  private page(html: string): string {
    const config = new RegExp(`(<script[^>]* id="${ID_CONFIG}"[^>]*>)([^<]*)(</script>)`);
    return html
      .replace(new RegExp(`<link rel="preload"[^>]* href="/remotes/${this.name}/[^>]*>`, 'g'), '')
      .replace(config, (_, start: string, json: string, end: string) => {
        const page = JSON.parse(json) as PublicConfig;
        // A visitor's page has the remotes of visitors.
        const remotes = page.userId === null ? page.remotes : this.listed(page.remotes);
        return start + JSON.stringify({ ...page, remotes, noWorker: true }).replaceAll('<', '\\u003c') + end;
      });
  }
}
