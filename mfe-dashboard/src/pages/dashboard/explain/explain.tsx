import type { Answer } from '@pool/shared';
import { lazyPart } from '@pool/shared/remote';
import { Hint } from '@pool/shared/ui/core';
import { Suspense, type ReactNode } from 'react';

type Explained = 'm5' | 'h1' | 'h24' | 'workers' | 'quality' | 'unpaid' | 'yesterday' | 'todayEstimate' | 'upstream';
export type Explaining = { what: Explained; live?: Answer<'GET /proxyLiveHashchart/'> };

const Explanation = lazyPart<Explaining>('dashboard-explain', async () => (await import('../later')).Explanation);

/** A figure that says how it is measured, and its error. */
export function Explain({ children, ...explaining }: Explaining & { children: ReactNode }) {
  return (
    <Hint
      text={
        <Suspense fallback={<p>…</p>}>
          <Explanation {...explaining} />
        </Suspense>
      }
    >
      {children}
    </Hint>
  );
}
