import { Suspense, type ComponentProps } from 'react';
import { lazyPart } from '../../../react/lazy-part';
import type { QrCode as Drawing } from '../../qr-code';
import { Skeleton } from './states';

const Drawn = lazyPart([], async () => (await import('../../qr-code')).QrCode);
/** The drawing's ground is wider than the code. */
const EDGES = 24;

/** A QR code, which is drawn by code that loads when one is first shown. */
export function QrCode({ size = 156, ...code }: ComponentProps<typeof Drawing>) {
  return (
    <Suspense fallback={<Skeleton width={size + EDGES} height={size + EDGES} radius={8} />}>
      <Drawn {...code} size={size} />
    </Suspense>
  );
}
