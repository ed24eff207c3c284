import type { RemoteManifest } from '@pool/shared/contract';
import { prefetchUrls } from '@pool/shared/prefetch-calls';

const DAY_MS = 86_400_000;

/**
 * URLs of a remote's `viewCalls` (remote.json), with the UTC days of now. None where the query chooses more than the
 * account: other days, or another list.
 */
export function viewUrls(
  { viewCalls = [] }: Pick<RemoteManifest, 'viewCalls'>,
  search: string,
  defaults: Partial<Record<string, string>>,
): string[] {
  const chooses = [...new URLSearchParams(search).keys()].some((name) => name !== 'account' && name !== 'algorithm');
  const dayBefore = (_: string, days: string): string =>
    new Date(Date.now() - Number(days) * DAY_MS).toISOString().slice(0, 10);
  const calls = chooses ? [] : viewCalls.map((url) => url.replace(/\{day-(\d+)\}/g, dayBefore));
  return prefetchUrls(calls, search, defaults);
}
