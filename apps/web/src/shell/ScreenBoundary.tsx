import { Button } from "@lambda/ui/button";
import { Component, lazy, type ReactNode, Suspense } from "react";
import { CHUNK_WAIT_MS, withDeadline } from "../device/with-deadline.ts";
import { useShellCopy } from "./copy.ts";

// Loaded on demand because it is rarely needed; offline it may fail to load as well.
const BrokenScreen = lazy(() =>
  withDeadline(CHUNK_WAIT_MS, () => import("./BrokenScreen.tsx")).catch(() => ({ default: PlainErrorScreen })),
);

function PlainErrorScreen({ onRetry }: { onRetry: () => void }) {
  const { broken } = useShellCopy();
  return (
    <p role="alert">
      {broken.title}. <Button label={broken.retry} onClick={onRetry} />
    </p>
  );
}

interface Props {
  /** A change of the path clears the error, because another screen may work. */
  path: string;
  children: ReactNode;
}

/** Error boundary that keeps the shell usable when a screen fails. */
export class ScreenBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidUpdate(previous: Props) {
    if (previous.path !== this.props.path && this.state.failed) this.setState({ failed: false });
  }

  readonly retry = () => {
    // React.lazy remembers a failed chunk until the page is reloaded.
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
