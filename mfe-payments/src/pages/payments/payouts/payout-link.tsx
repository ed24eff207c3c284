import { Link, useSearchParams } from '@pool/shared/router';
import type { ReactNode } from 'react';

const PARAM = 'payout';

/** Id of the payout in the URL (`?tab=payouts&payout=12`). */
export function useLinkedPayout(): number | null {
  const [params] = useSearchParams();
  const id = params.get(PARAM);
  return id !== null && /^\d{1,10}$/.test(id) ? Number(id) : null;
}

/** A link to one payout, which users can share. */
export function PayoutLink({ id, className, children }: { id: number; className?: string; children: ReactNode }) {
  const [params] = useSearchParams();
  const search = new URLSearchParams(params);
  search.set(PARAM, String(id));
  return (
    <Link to={{ search: search.toString() }} className={className}>
      {children}
    </Link>
  );
}

export function useClosePayout(): () => void {
  const [, setParams] = useSearchParams();
  return () =>
    setParams((now) => {
      const next = new URLSearchParams(now);
      next.delete(PARAM);
      return next;
    });
}
