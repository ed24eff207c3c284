import { useQueryClient } from '@tanstack/react-query';
import { Component, type ReactNode } from 'react';
import { ErrorPanel } from './states';

/** A widget that cannot be drawn says so in its own place: the others, and the page, go on. */
export class WidgetBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return <Broken error={this.state.error} onRetry={() => this.setState({ error: null })} />;
  }
}

function Broken({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const queryClient = useQueryClient();
  const retry = () => {
    // What the widget was drawn from, which nothing on the page uses now: it is asked for anew.
    queryClient.removeQueries({ type: 'inactive' });
    onRetry();
  };
  return <ErrorPanel error={error} onRetry={retry} />;
}
