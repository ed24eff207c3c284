import { useQueryClient } from '@tanstack/react-query';
import { Component, type ReactNode } from 'react';
import { isMissingFile } from '../../../react/missing-file';
import { Panel } from './panel';
import { ErrorPanel } from './states';

/** Around each widget of a page: one that cannot be drawn says so in its own place, and the others go on. */
export class WidgetBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    // Only a remote that is loaded again asks for the file again: that is the outlet's business.
    if (isMissingFile(error)) throw error;
    return <Broken error={error} onRetry={() => this.setState({ error: null })} />;
  }
}

function Broken({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const queryClient = useQueryClient();
  const retry = () => {
    // What the widget was drawn from, which nothing on the page uses now: it is asked for anew.
    queryClient.removeQueries({ type: 'inactive' });
    onRetry();
  };
  return (
    <Panel>
      <ErrorPanel error={error} onRetry={retry} />
    </Panel>
  );
}
