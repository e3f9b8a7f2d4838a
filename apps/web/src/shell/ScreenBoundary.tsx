import { Button } from "@lambda/ui/button";
import { Component, lazy, type ReactNode, Suspense } from "react";
import { useCopy } from "../format/i18n.ts";
import { shellCopy } from "./copy.ts";

// Rarely needed, so not in the first chunk; without a network it may not come either.
const BrokenScreen = lazy(() => import("./BrokenScreen.tsx").catch(() => ({ default: BareScreen })));

function BareScreen({ onRetry }: { onRetry: () => void }) {
  const { broken } = useCopy(shellCopy);
  return (
    <p role="alert">
      {broken.title}. <Button onClick={onRetry}>{broken.retry}</Button>
    </p>
  );
}

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

  readonly retry = () => {
    // React keeps a chunk that did not come as failed for as long as the page lives.
    location.reload();
  };

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Suspense>
        <BrokenScreen onRetry={this.retry} />
      </Suspense>
    );
  }
}
