import { Loading, Skeleton } from '@pool/shared/ui/core';

/** While a page's code is on its way: heading, tabs, a panel. */
export function PageSkeleton() {
  return (
    <Loading>
      <Skeleton width={180} height={32} />
      <p />
      <Skeleton width={320} height={24} />
      <p />
      <Skeleton height={360} radius={8} />
    </Loading>
  );
}
