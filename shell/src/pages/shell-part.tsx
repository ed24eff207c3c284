import { Suspense, useState, type ReactNode } from 'react';
import { Boundary } from '../boundary';
import { FailurePanel } from '../remotes/failure-panel';
import { failureOf } from '../remotes/failure';
import { OutletSkeleton } from '../remotes/outlet-skeleton';
import { resetFailedShares } from '../remotes/shared-parts';
import { report } from '../report';

/** A page of the shell, or a tab of one; a failed one shows a panel with Retry. Each has its own `key`. */
export function ShellPart({ children }: { children: ReactNode }) {
  const [attempt, setAttempt] = useState(0);
  const retry = () => {
    resetFailedShares();
    setAttempt(attempt + 1);
  };
  return (
    <Boundary
      key={attempt}
      onError={report}
      fallback={(error) => <FailurePanel failure={failureOf(error, 'shell')} onRetry={retry} />}
    >
      <Suspense fallback={<OutletSkeleton shape="list" />}>{children}</Suspense>
    </Boundary>
  );
}
