import type { RemoteManifest } from '@pool/shared';

/**
 * The lazy parts of the shared UI. Remotes only consume them, so the shell has to provide each one, and only through
 * `import()`: a direct import would crash the start (docs/adr, sharing).
 */
export const UI_PARTS = {
  chart: () => import('@pool/shared/ui/chart'),
  data: () => import('@pool/shared/ui/data'),
  date: () => import('@pool/shared/ui/date'),
  form: () => import('@pool/shared/ui/form'),
  icons: () => import('@pool/shared/ui/icons'),
  misc: () => import('@pool/shared/ui/misc'),
  overlay: () => import('@pool/shared/ui/overlay'),
  payout: () => import('@pool/shared/ui/payout'),
  table: () => import('@pool/shared/ui/table'),
};

/** Loads the parts that a remote's first page is made of. After a failure the remote asks again, and reports it. */
export function loadParts({ parts = [] }: Pick<RemoteManifest, 'parts'>): void {
  for (const name of parts) UI_PARTS[name as keyof typeof UI_PARTS]?.().catch(() => undefined);
}

/** Parts that the next page probably needs. The others are heavy and are loaded only when used. */
export const LIGHT_PARTS = [UI_PARTS.table, UI_PARTS.form, UI_PARTS.misc, UI_PARTS.overlay];
