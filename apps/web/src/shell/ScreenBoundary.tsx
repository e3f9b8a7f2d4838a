import { Component, lazy, type ReactNode, Suspense } from "react";

// Rarely needed, so not in the first chunk.
const BrokenScreen = lazy(() => import("./BrokenScreen.tsx"));

interface Props {
  /** A change of it clears the error: another page may well work. */
  path: string;
  children: ReactNode;
}

/** Keeps the shell alive when a screen fails. */
export class ScreenBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidUpdate(previous: Props) {
    if (previous.path !== this.props.path && this.state.failed) this.setState({ failed: false });
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Suspense>
        <BrokenScreen onRetry={() => this.setState({ failed: false })} />
      </Suspense>
    );
  }
}
