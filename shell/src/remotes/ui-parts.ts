import type { RemoteManifest } from '@pool/shared';

/** The lazy parts of the shared UI, each through `import()` (docs/adr, sharing). `({})`: knip names unused exports. */
export const UI_PARTS = {
  antd: () => import('@pool/shared/antd').then(({}) => undefined),
  audit: () => import('@pool/shared/ui/audit').then(({}) => undefined),
  chart: () => import('@pool/shared/ui/chart').then(({}) => undefined),
  form: () => import('@pool/shared/ui/form').then(({}) => undefined),
  icons: () => import('@pool/shared/ui/icons').then(({}) => undefined),
  overlay: () => import('@pool/shared/ui/overlay').then(({}) => undefined),
  payout: () => import('@pool/shared/ui/payout').then(({}) => undefined),
  'qr-code': () => import('@pool/shared/ui/qr-code').then(({}) => undefined),
  table: () => import('@pool/shared/ui/table').then(({}) => undefined),
  timeline: () => import('@pool/shared/ui/timeline').then(({}) => undefined),
  waiting: () => import('@pool/shared/ui/waiting').then(({}) => undefined),
};

/** Loads the parts that a remote's first page is made of. After a failure the remote asks again, and reports it. */
export function loadParts({ parts = [] }: Pick<RemoteManifest, 'parts'>): void {
  for (const name of parts) UI_PARTS[name as keyof typeof UI_PARTS]?.().catch(() => undefined);
}

/** Parts that the next page probably needs. The others are heavy and are loaded only when used. */
export const LIGHT_PARTS = [UI_PARTS.table, UI_PARTS.form, UI_PARTS['qr-code'], UI_PARTS.overlay];
