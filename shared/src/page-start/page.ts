/** What the server and the build leave in the page's HTML. */
import type { PageShape } from '../contract';
import type { BrowserFacts } from './facts';

export type PrefetchCalls = { calls: string[]; defaults: Record<string, string> };

export type PageStart = {
  /** The skeleton's shape; absent: `charts`. */
  shape?: PageShape | 'form' | 'public';
  /** First calls of the page. */
  prefetch?: PrefetchCalls;
  /** Page that the landing page leads a signed-in user to. */
  home?: string;
  isSaved?: true;
};

/** What the first view was made from. */
export type SentView = {
  /** The browser that the view was rendered for. */
  facts: Pick<BrowserFacts, 'language' | 'direction' | 'mode' | 'width' | 'plot'>;
  /** Data of queries, with the URL of the answer that it is. */
  queries: { queryKey: readonly unknown[]; url: string; data: unknown }[];
  /** The browser may keep the answers. */
  isKept: boolean;
};

/** Name of the shell's build, null in `npm run dev`; integrity hashes of the shell's later files, by URL. */
export type ShellBuild = { name: string | null; files: Record<string, string> };

/** Content of a `<script type="application/json">`; null: there is none. */
export const readScript = <Content>(id: string): Content | null =>
  JSON.parse(document.getElementById(id)?.textContent ?? 'null') as Content | null;

declare global {
  var sentView: SentView | null | undefined;
}
