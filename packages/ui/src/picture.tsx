import { type CSSProperties, useState } from "react";
import { classes } from "./classes.ts";
import css from "./picture.module.css";

/** Widths in pixels that the picture store keeps. */
export const PICTURE_WIDTHS = [256, 512, 1024, 2048] as const;
export type PictureWidth = (typeof PICTURE_WIDTHS)[number];

export interface PictureProps {
  /** Address of a variant, or one address for all; absent draws the initial instead. */
  src?: string | ((width: PictureWidth) => string);
  /** What it shows, e.g. "Marco"; empty where the name stands beside it. */
  alt: string;
  /** Width over height. */
  aspect?: number;
  /** CSS `sizes`; decides which variant is fetched. */
  sizes?: string;
  /** Colour that fills the place until the picture is there. */
  placeholder?: string;
  /** Tiny picture (data: or blob: address), blurred until the real one is there. */
  preview?: string;
  /** The bytes are the pixelated version: keep the squares sharp. */
  pixelated?: boolean;
  /** Words over a pixelated picture, e.g. "NSFW". */
  pixelLabel?: string;
  /** Letter for a member without a picture; defaults to the first of `alt`. */
  initial?: string;
  fit?: "cover" | "contain";
  /** On the first screen: fetched at once and with priority. */
  eager?: boolean;
  /** About to be scrolled to: fetched at once, behind those of the first screen. */
  soon?: boolean;
  /** Name for a view transition; unique on the page. */
  transitionName?: string;
  round?: boolean;
  className?: string;
}

/** Takes its place before a byte has come, so that nothing moves. A broken address falls back to the initial. */
export function Picture(props: PictureProps) {
  const { src, alt, aspect = 0.8, sizes = "100vw", placeholder, preview, pixelated, pixelLabel, fit = "cover" } = props;
  const { eager, soon, transitionName, round, className } = props;
  const [failed, setFailed] = useState<string>();
  const [loaded, setLoaded] = useState(false);
  const address = src && failed !== addressOf(src) ? src : undefined;
  const frame: CSSProperties = { aspectRatio: String(aspect), viewTransitionName: transitionName };
  if (placeholder) frame.backgroundColor = placeholder;
  const initial = (props.initial ?? alt.trim().charAt(0)).toLocaleUpperCase();
  return (
    <span className={classes(css.frame, round && css.round, className)} style={frame} data-picture="">
      {address ? (
        <>
          {preview && !loaded && <img className={css.preview} src={preview} alt="" />}
          <img
            // The ref catches a picture from the cache, whose load event came before React listened.
            ref={(image) => {
              if (image?.complete && image.naturalWidth > 0) setLoaded(true);
            }}
            className={classes(
              css.image,
              fit === "contain" && css.contain,
              pixelated && css.pixels,
              preview && !loaded && css.waiting,
            )}
            src={addressOf(address)}
            srcSet={
              typeof address === "function" ? PICTURE_WIDTHS.map((w) => `${address(w)} ${w}w`).join(", ") : undefined
            }
            sizes={typeof address === "function" ? sizes : undefined}
            alt={alt}
            loading={eager || soon ? "eager" : "lazy"}
            fetchPriority={eager ? "high" : soon ? "low" : undefined}
            decoding="async"
            draggable={false}
            onLoad={() => setLoaded(true)}
            onError={() => setFailed(addressOf(address))}
          />
          {pixelated && pixelLabel && <span className={css.mark}>{pixelLabel}</span>}
        </>
      ) : (
        <span className={css.empty} data-initial={initial} {...(alt ? { role: "img", "aria-label": alt } : {})} />
      )}
    </span>
  );
}

function addressOf(src: NonNullable<PictureProps["src"]>): string {
  return typeof src === "function" ? src(512) : src;
}
