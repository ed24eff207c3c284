import { Component, lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';
import { FailurePanel } from '../remotes/failure-panel';
import { failureOf } from '../remotes/failure';
import { OutletSkeleton } from '../remotes/outlet-skeleton';
import { resetFailedShares } from '../remotes/shared-parts';
import { report } from '../report';

type Load = () => Promise<{ default: ComponentType }>;

/**
 * A page of the shell, or a tab of one, that is loaded when it is shown. One that cannot be loaded, or fails, shows a
 * panel with Retry in its place. Give another `load` with another `key`.
 */
export function LazyPart({ load }: { load: Load }) {
  const [attempt, setAttempt] = useState(0);
  const retry = () => {
    resetFailedShares();
    setAttempt(attempt + 1);
  };
  return (
    <PartBoundary key={attempt} onRetry={retry}>
      <Part load={load} />
    </PartBoundary>
  );
}

function Part({ load }: { load: Load }) {
  // React keeps the rejection of a failed `lazy`: each attempt makes its own.
  const [Loaded] = useState(() => lazy(load));
  return (
    <Suspense fallback={<OutletSkeleton shape="list" />}>
      <Loaded />
    </Suspense>
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
