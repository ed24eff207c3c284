import { Link, useSearchParams } from '@pool/shared/router';
import type { ReactNode } from 'react';

const PARAM = 'payout';

/** Id of the payout the address names (`?tab=payouts&payout=12`). */
export function useWantedPayout(): number | null {
  const [params] = useSearchParams();
  const id = params.get(PARAM);
  return id !== null && /^\d{1,10}$/.test(id) ? Number(id) : null;
}

/** The address of one payout: to be shared, and gone back to. */
export function PayoutLink({ id, children }: { id: number; children: ReactNode }) {
  const [params] = useSearchParams();
  const search = new URLSearchParams(params);
  search.set(PARAM, String(id));
  return <Link to={{ search: search.toString() }}>{children}</Link>;
}
