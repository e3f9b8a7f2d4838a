import { Button } from "@lambda/ui/button";
import { Component, type ReactNode } from "react";
import { isOnline } from "../device/online.ts";
import { lazyPart } from "../routing/lazy-part.tsx";
import { ChunkMissing } from "../routing/load-chunk.ts";
import { useShellCopy } from "./copy.ts";

/** React.lazy remembers a failed chunk until a reload, which offline could leave the browser's error page instead. */
const retry = () => isOnline() && location.reload();

/** Stands for a screen whose files are not here. In the entry's script, because offline no other may come. */
export function MissingScreen() {
  const copy = useShellCopy();
  return (
    <p role="alert">
      {copy.missing} <Button label={copy.retry} onClick={retry} />
    </p>
  );
}

// Loaded on demand because it is rarely needed.
const BrokenScreen = lazyPart(() => import("./BrokenScreen.tsx"));

interface Props {
  /** A change of the path clears the error, because another screen may work. */
  path?: string;
  children: ReactNode;
}

/** Error boundary that keeps the shell usable when a screen fails. */
export class ScreenBoundary extends Component<Props, { failed: unknown }> {
  override state: { failed: unknown } = { failed: undefined };

  static getDerivedStateFromError(failed: unknown) {
    return { failed };
  }

  override componentDidUpdate(previous: Props) {
    if (previous.path !== this.props.path && this.state.failed) this.setState({ failed: undefined });
  }

  override render() {
    const { failed } = this.state;
    if (failed === undefined) return this.props.children;
    if (failed instanceof ChunkMissing) return <MissingScreen />;
    // Offline its chunk may be missing as well.
    return (
      <ScreenBoundary>
        <BrokenScreen onRetry={retry} />
      </ScreenBoundary>
    );
  }
}
