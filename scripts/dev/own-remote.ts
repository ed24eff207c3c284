/** A deployed pool's answers, with one remote of this checkout in its pages, its list of remotes, its texts. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PublicConfig } from '../../shared/src/contract/config';
import type { RemoteManifest } from '../../shared/src/contract';
import { FACTS_COOKIE } from '../../shared/src/page-start/facts';
import { ID_CONFIG } from '../../shared/src/page-start/names';
import { isBelow } from '../../shared/src/contract/remote-schema';
import { hashOf, hashOfFiles } from '../build/files';
import { textsOf } from '../build/locales';
import { besideTheCode, factsOf } from '../build/units';
import { manifestOf } from '../remotes/built';
import { readRemote } from '../remotes/source';

type Changed = { status: number; text: string };

/**
 * Manifest of the development build. Throws with its faults. `folderOf`: address of the files of a version; the shell asks
 * for a hash of every file below `/remotes/`.
 */
export function devManifest(name: string, folderOf = (_version: string) => `/__dev/mfe-${name}/`): RemoteManifest {
  const unit = `mfe-${name}`;
  // Chunks come from the folder of the builds when they are needed: nothing is preloaded.
  const build = { parts: factsOf(unit, true).parts, preload: [], entry: 'remoteEntry.js' };
  const manifestAt = (version: string): RemoteManifest =>
    manifestOf(readRemote(name), build, { version, folder: folderOf(version) });
  // The server reads manifest and texts of a version once.
  const hash = hashOf([JSON.stringify(manifestAt('')), hashOfFiles(besideTheCode(unit))]);
  return manifestAt(`0.0.0-dev-${hash}`);
}

/** Headers that are about the bytes of an answer, its connection or its host. */
const NOT_KEPT = [
  ...['content-encoding', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'etag'],
  'strict-transport-security',
];

export class OwnRemote {
  manifest: RemoteManifest | null = null;

  constructor(
    private readonly name: string,
    private readonly pool: URL,
  ) {}

  /** Whether the answer may have something about remotes: a page, their list, texts. */
  isChanged({ method, url = '/' }: IncomingMessage): boolean {
    return method === 'GET' && !/^\/(api(?!\/remotes$)|assets|remotes|vendor|__clerk)\//.test(url);
  }

  /** Answers as the pool does, with the remote in it. */
  async answer({ url = '/', headers }: IncomingMessage, answer: ServerResponse): Promise<void> {
    const asked = new Headers({ accept: headers.accept ?? '*/*' });
    for (const name of ['accept-language', 'user-agent'] as const) asked.set(name, headers[name] ?? '');
    // A request without this cookie gets a page without the view of the version that is deployed.
    asked.set('cookie', (headers.cookie ?? '').replace(new RegExp(`(^|; )${FACTS_COOKIE}=[^;]*`), ''));
    const found = await fetch(this.pool.origin + url, { headers: asked, redirect: 'manual' });
    const body = Buffer.from(await found.arrayBuffer());
    const kept = new Headers(found.headers);
    for (const name of NOT_KEPT) kept.delete(name);
    kept.set('cache-control', 'no-store');
    const [to, policy] = ['location', 'content-security-policy'].map((name) => kept.get(name));
    if (to) kept.set('location', to.replace(this.pool.origin, ''));
    if (policy) kept.set('content-security-policy', this.policy(policy));
    const [pathname = '/'] = url.split('?');
    const { status, text } = this.changed(pathname, found, () => String(body)) ?? { status: found.status, text: body };
    answer.setHeaders(kept).writeHead(status).end(text);
  }

  private policy(text: string): string {
    return text
      .replace(/;\s*upgrade-insecure-requests/, '')
      .replace(/connect-src [^;]*/, (asks) => [asks, ...(this.manifest?.connect ?? [])].join(' '));
  }

  /** The body with the remote in it; null: it stays as it is. */
  private changed(pathname: string, { status, headers }: Response, text: () => string): Changed | null {
    const { manifest } = this;
    if (!manifest) return null;
    if (pathname === '/api/remotes' && status === 200)
      return { status, text: JSON.stringify(this.listed(JSON.parse(text()) as RemoteManifest[])) };
    const [, file = ''] = /^\/locales\/([\w.-]+\.json)$/.exec(pathname) ?? [];
    const texts = file && textsOf([`mfe-${this.name}`]).get(file);
    if (texts) {
      const deployed = status === 200 ? (JSON.parse(text()) as object) : {};
      return { status: 200, text: JSON.stringify({ ...deployed, ...texts }) };
    }
    if (!headers.get('content-type')?.startsWith('text/html')) return null;
    // The pool does not know a page that is new.
    const isOwn = status === 404 && isBelow(pathname.replace(/\/$/, ''), manifest.basePath);
    return { status: isOwn ? 200 : status, text: this.page(text()) };
  }

  private listed(remotes: readonly RemoteManifest[]): RemoteManifest[] {
    const others = remotes.filter(({ name }) => name !== this.name);
    const order = ({ nav }: RemoteManifest) => nav[0]?.order ?? 0;
    return this.manifest ? [...others, this.manifest].sort((a, b) => order(a) - order(b)) : others;
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
