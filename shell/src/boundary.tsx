import { Component, type ReactNode } from 'react';

type Props = { onError(error: unknown): void; fallback(error: unknown): ReactNode; children: ReactNode };

/** Shows `fallback` in place of children that threw while they were drawn. */
export class Boundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: null };
  static getDerivedStateFromError = (error: unknown) => ({ error });
  override componentDidCatch(error: unknown): void {
    this.props.onError(error);
  }
  override render(): ReactNode {
    const { error } = this.state;
    return error === null ? this.props.children : this.props.fallback(error);
  }
}
