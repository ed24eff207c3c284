import { Component, Suspense, useState, type ReactNode } from 'react';
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
    <PartBoundary key={attempt} onRetry={retry}>
      <Suspense fallback={<OutletSkeleton shape="list" />}>{children}</Suspense>
    </PartBoundary>
  );
}

class PartBoundary extends Component<{ onRetry(): void; children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };
  static getDerivedStateFromError = (error: unknown) => ({ error });
  override componentDidCatch(error: unknown): void {
    report(error);
  }
  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <FailurePanel failure={failureOf(error, 'shell')} onRetry={this.props.onRetry} />;
  }
}
