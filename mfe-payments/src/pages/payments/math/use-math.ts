import { isAlgorithm } from '@pool/shared';
import { useSearchParams } from '@pool/shared/router';
import { useCallback } from 'react';
import type { EarningKey } from '../../../api/earning-math';

/** The earning whose computation is open, kept in the URL: `?math=2026-11-19.SHA256_ASICBOOST.northfield`. */
export function useMath() {
  const [params, setParams] = useSearchParams();
  const [day = '', algorithm = '', account = ''] = params.get('math')?.split('.') ?? [];
  const shown: EarningKey | null =
    /^\d{4}-\d\d-\d\d$/.test(day) && isAlgorithm(algorithm) && account ? { day, account, algorithm } : null;
  const show = useCallback(
    (earning: EarningKey | null) =>
      setParams((now) => {
        const next = new URLSearchParams(now);
        if (earning) next.set('math', [earning.day, earning.algorithm, earning.account].join('.'));
        else next.delete('math');
        return next;
      }),
    [setParams],
  );
  return { shown, show };
}
