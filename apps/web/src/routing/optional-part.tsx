import { type ComponentType, type ReactNode, useEffect, useReducer } from "react";
import { createChunkLoader } from "./load-chunk.ts";

const RETRY_MS = 60_000;

/**
 * A part of a screen that loads on demand and that the screen works without. While its chunk cannot be loaded it shows the fallback
 * and tries again later, where React.lazy would make the whole screen fail.
 */
export function optionalPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  fallback: ReactNode = null,
) {
  let Loaded: ComponentType<Props> | undefined;
  const chunk = createChunkLoader(async () => {
    Loaded = (await load()).default;
  });
  return function OptionalPart(props: Props) {
    const [, rerender] = useReducer((count: number) => count + 1, 0);
    useEffect(() => {
      let isMounted = true;
      let timer: number | undefined;
      const attempt = async () => {
        await chunk.preload();
        if (!isMounted) return;
        if (Loaded) rerender();
        else timer = window.setTimeout(() => void attempt(), RETRY_MS);
      };
      if (!Loaded) void attempt();
      return () => {
        isMounted = false;
        window.clearTimeout(timer);
      };
    }, []);
    return Loaded ? <Loaded {...props} /> : fallback;
  };
}
