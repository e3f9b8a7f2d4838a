import { type CSSProperties, useEffect, useState } from "react";
import { classes } from "./classes.ts";
import { initialOf } from "./initial.ts";
import css from "./picture.module.css";

/** The stored widths of a picture in pixels. */
export const PICTURE_WIDTHS = [256, 512, 1024, 2048] as const;
export type PictureWidth = (typeof PICTURE_WIDTHS)[number];

export interface PictureProps {
  /** The URL for each width, or one URL for all; without it the initial is shown. */
  src?: string | ((width: PictureWidth) => string);
  /** What the picture shows, e.g. "Marco"; empty if the name is next to it. */
  alt: string;
  /** Width divided by height. */
  aspect?: number;
  /** The `sizes` attribute, by which the browser chooses the width. */
  sizes?: string;
  /** Background color while the picture loads. */
  placeholder?: string;
  /** Tiny picture (data: or blob: URL), shown blurred while the real one loads. */
  preview?: string;
  /** The file is the pixelated version: scale it without smoothing. */
  pixelated?: boolean;
  /** Text over a pixelated picture, e.g. "NSFW". */
  pixelLabel?: string;
  /** Letter for a member without a picture; defaults to the first letter of `alt`. */
  initial?: string;
  fit?: "cover" | "contain";
  /** For pictures on the first screen: loads at once with high priority. */
  eager?: boolean;
  /** For pictures just outside the viewport: loads at once with low priority. */
  prefetch?: boolean;
  /** The view-transition-name; must be unique on the page. */
  transitionName?: string;
  round?: boolean;
  className?: string;
}

/** A picture that reserves its space before it loads, so that nothing shifts. Falls back to the initial while it fails to load. */
export function Picture(props: PictureProps) {
  const { src, alt, aspect = 0.8, sizes = "100vw", placeholder, preview, pixelated, pixelLabel, fit = "cover" } = props;
  const { eager, prefetch, transitionName, round, className } = props;
  const [failed, setFailed] = useState<string>();
  const [loaded, setLoaded] = useState(false);
  useEffect(() => {
    if (failed === undefined) return;
    // A dead line is no missing picture.
    const retry = () => setFailed(undefined);
    addEventListener("online", retry);
    addEventListener("focus", retry);
    return () => {
      removeEventListener("online", retry);
      removeEventListener("focus", retry);
    };
  }, [failed]);
  const address = src && failed !== defaultUrl(src) ? src : undefined;
  const frame: CSSProperties = { aspectRatio: String(aspect), viewTransitionName: transitionName };
  if (placeholder) frame.backgroundColor = placeholder;
  const initial = props.initial ?? initialOf(alt);
  return (
    <span className={classes(css.frame, round && css.round, className)} style={frame} data-picture="">
      {address ? (
        <>
          {preview && !loaded && <img className={css.preview} src={preview} alt="" />}
          <img
            // The ref handles a cached picture, whose load event fired before hydration.
            ref={(image) => {
              if (image?.complete && image.naturalWidth > 0) setLoaded(true);
            }}
            className={classes(
              css.image,
              fit === "contain" && css.contain,
              pixelated && css.pixels,
              preview && !loaded && css.waiting,
            )}
            src={defaultUrl(address)}
            srcSet={
              typeof address === "function" ? PICTURE_WIDTHS.map((w) => `${address(w)} ${w}w`).join(", ") : undefined
            }
            sizes={typeof address === "function" ? sizes : undefined}
            alt={alt}
            loading={eager || prefetch ? "eager" : "lazy"}
            fetchPriority={eager ? "high" : prefetch ? "low" : undefined}
            decoding="async"
            draggable={false}
            onLoad={() => setLoaded(true)}
            onError={() => setFailed(defaultUrl(address))}
          />
          {pixelated && pixelLabel && <span className={`type-mark bold ${css.mark}`}>{pixelLabel}</span>}
        </>
      ) : (
        <span
          className={`center clip bold font-display ${css.empty}`}
          data-initial={initial}
          {...(alt ? { role: "img", "aria-label": alt } : {})}
        />
      )}
    </span>
  );
}

const defaultUrl = (src: NonNullable<PictureProps["src"]>): string => (typeof src === "function" ? src(512) : src);
