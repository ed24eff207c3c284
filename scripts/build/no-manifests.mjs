/**
 * Replaces what the federation runtime knows of federation manifests and preloading: remotes are registered by the URL
 * of their entry, and shell/src/remotes/federation.ts asks for their files.
 */
export class SnapshotHandler {
  hooks = { applyPlugin: () => undefined };
  manifestCache = new Map();
}
export const getGlobalRemoteInfo = () => ({});

const notHere = () => {
  throw new Error('the federation runtime preloads nothing here');
};
export const defaultPreloadArgs = notHere;
export const formatPreloadArgs = notHere;
export const normalizePreloadExposes = notHere;
export const preloadAssets = notHere;
