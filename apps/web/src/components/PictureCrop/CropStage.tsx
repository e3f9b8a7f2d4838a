import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from "react";
import { useCopy } from "../../format/i18n.ts";
import { cropCopy } from "./copy.ts";
import css from "./crop.module.css";
import { type Crop, drag, frameHeight, radians, settle } from "./geometry.ts";

export interface CropStageProps {
  image: HTMLImageElement;
  crop: Crop;
  onChange: (crop: Crop) => void;
}

/** Screen pixels that an arrow key moves the picture; with Shift ten times as much. */
const STEP_PX = 4;
const ZOOM_STEP = 1.08;

/** The frame and the picture under it: one finger or the mouse moves, two fingers or the wheel zoom, keys do both. */
export function CropStage({ image, crop, onChange }: CropStageProps) {
  const copy = useCopy(cropCopy);
  const frame = useRef<HTMLDivElement>(null);
  const helpId = useId();
  const [height, setHeight] = useState(0);
  const fingers = useRef(new Map<number, { x: number; y: number }>());
  const picture = { width: image.naturalWidth, height: image.naturalHeight };
  const scale = height / frameHeight(picture, crop);

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const zoomBy = (factor: number) => onChange(settle(picture, { ...crop, zoom: crop.zoom * factor }));
  const zoom = useRef(zoomBy);
  zoom.current = zoomBy;
  useEffect(() => {
    // React listens passively to the wheel, and then the page would scroll away under the crop.
    const element = frame.current;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      zoom.current(Math.exp(-event.deltaY / 400));
    };
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  }, []);

  const onPointerMove = (event: PointerEvent) => {
    const before = fingers.current.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const [other] = [...fingers.current].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    fingers.current.set(event.pointerId, now);
    const share = other ? 2 : 1;
    let next = drag(picture, crop, (now.x - before.x) / share, (now.y - before.y) / share, scale);
    if (other) {
      const wide = Math.hypot(now.x - other.x, now.y - other.y) / Math.hypot(before.x - other.x, before.y - other.y);
      next = settle(picture, { ...next, zoom: next.zoom * wide });
    }
    onChange(next);
  };
  const release = (event: PointerEvent) => fingers.current.delete(event.pointerId);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? STEP_PX * 10 : STEP_PX;
    const ways: Record<string, () => Crop> = {
      ArrowLeft: () => drag(picture, crop, step, 0, scale),
      ArrowRight: () => drag(picture, crop, -step, 0, scale),
      ArrowUp: () => drag(picture, crop, 0, step, scale),
      ArrowDown: () => drag(picture, crop, 0, -step, scale),
      "+": () => settle(picture, { ...crop, zoom: crop.zoom * ZOOM_STEP }),
      "=": () => settle(picture, { ...crop, zoom: crop.zoom * ZOOM_STEP }),
      "-": () => settle(picture, { ...crop, zoom: crop.zoom / ZOOM_STEP }),
      r: () => settle(picture, { ...crop, quarters: crop.quarters + 1 }),
      R: () => settle(picture, { ...crop, quarters: crop.quarters - 1 }),
    };
    const go = ways[event.key];
    if (!go || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onChange(go());
  };

  return (
    <div className={css.stage}>
      <div
        ref={frame}
        className={css.frame}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the stage is worked with the keyboard
        tabIndex={0}
        role="application"
        aria-label={copy.stage}
        aria-describedby={helpId}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
        }}
        onPointerMove={onPointerMove}
        onPointerUp={release}
        onPointerCancel={release}
      >
        <img
          src={image.src}
          alt=""
          draggable={false}
          className={css.image}
          style={{
            width: picture.width,
            height: picture.height,
            transformOrigin: "0 0",
            transform: `rotate(${radians(crop)}rad) scale(${scale}) translate(${-crop.x}px, ${-crop.y}px)`,
          }}
        />
        <span className={css.grid} aria-hidden="true" />
      </div>
      <p id={helpId} className={css.help}>
        {copy.stageHelp}
      </p>
    </div>
  );
}
