import type { Answer } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { lazyPart } from '@pool/shared/remote';
import { Tooltip } from '@pool/shared/ui/core';
import { Suspense, useState } from 'react';
import styles from './explain.module.css';

type Explained = 'm5' | 'h1' | 'h24' | 'workers' | 'quality' | 'unpaid' | 'yesterday' | 'todayEstimate' | 'upstream';
export type Explaining = { what: Explained; live?: Answer<'GET /proxyLiveHashchart/'> };

const Explanation = lazyPart<Explaining>('dashboard-explain', async () => (await import('./explanation')).Explanation);

/** A small button after the label of a figure: says how it is measured, and its error. */
export function Explain({ label, ...explaining }: Explaining & { label: string }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <Tooltip
      trigger={['click']}
      open={open}
      onOpenChange={setOpen}
      title={
        <div role="status">
          {open && (
            <Suspense fallback="…">
              <Explanation {...explaining} />
            </Suspense>
          )}
        </div>
      }
    >
      <button
        type="button"
        className={styles.button}
        aria-label={t('dashboard.explain', { label })}
        aria-expanded={open}
        onBlur={() => setOpen(false)}
      />
    </Tooltip>
  );
}
