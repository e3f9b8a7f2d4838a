import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from "react";
import { useCropCopy } from "./copy.ts";
import css from "./crop.module.css";
import { type Crop, clampCrop, frameHeight, panCrop, radians, type Size } from "./geometry.ts";

export interface CropStageProps {
  image: HTMLImageElement;
  crop: Crop;
  onChange: (crop: Crop) => void;
}

/** Screen pixels by which an arrow key moves the picture; ten times as many with Shift. */
const STEP_PX = 4;
const ZOOM_STEP = 1.08;

/** The crop frame over the picture. One finger or the mouse moves the picture, two fingers or the wheel zoom, keys do both. */
export function CropStage({ image, crop, onChange }: CropStageProps) {
  const copy = useCropCopy();
  const frame = useRef<HTMLDivElement>(null);
  const helpId = useId();
  const picture = { width: image.naturalWidth, height: image.naturalHeight };
  const scale = useHeight(frame) / frameHeight(picture, crop);
  const latest = useRef(crop);
  latest.current = crop;
  // Several events may arrive before the next rendering, for example the moves of two fingers.
  const change = (update: (crop: Crop) => Crop) => {
    latest.current = update(latest.current);
    onChange(latest.current);
  };
  const handlers = usePointerGestures(picture, scale, change);
  useWheel(frame, (factor) => change((current) => clampCrop(picture, { ...current, zoom: current.zoom * factor })));

  const onKeyDown = (event: KeyboardEvent) => {
    const next = cropForKey(event, picture, crop, scale);
    if (!next) return;
    event.preventDefault();
    onChange(next);
  };
  return (
    <div className="stack gap-2 items-center full-width">
      <div
        ref={frame}
        className={`raised radius-2 relative clip ${css.frame}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the crop is operated with the keyboard
        tabIndex={0}
        role="application"
        aria-label={copy.stage}
        aria-describedby={helpId}
        onKeyDown={onKeyDown}
        {...handlers}
      >
        <img
          src={image.src}
          alt=""
          draggable={false}
          className={`no-pointer ${css.image}`}
          style={{
            width: picture.width,
            height: picture.height,
            transformOrigin: "0 0",
            transform: `rotate(${radians(crop)}rad) scale(${scale}) translate(${-crop.x}px, ${-crop.y}px)`,
          }}
        />
        <span className={`cover no-pointer ${css.grid}`} aria-hidden="true" />
      </div>
      <p id={helpId} className={`muted type-mark text-center ${css.help}`}>
        {copy.stageHelp}
      </p>
    </div>
  );
}

function useHeight(box: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return height;
}

/** Zooms with the wheel. React's own wheel listeners are passive, so they could not stop the page from scrolling. */
function useWheel(box: RefObject<HTMLElement | null>, zoomBy: (factor: number) => void): void {
  const zoom = useEffectEvent(zoomBy);
  useEffect(() => {
    const element = box.current;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / 400));
    };
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  }, [box]);
}

function usePointerGestures(picture: Size, scale: number, change: (update: (crop: Crop) => Crop) => void) {
  const fingers = useRef(new Map<number, { x: number; y: number }>());
  const onPointerDown = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
  };
  const onPointerMove = (event: PointerEvent) => {
    const previous = fingers.current.get(event.pointerId);
    if (!previous) return;
    const now = { x: event.clientX, y: event.clientY };
    const [other] = [...fingers.current].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    fingers.current.set(event.pointerId, now);
    const fingerCount = other ? 2 : 1;
    change((crop) => {
      const [right, down] = [(now.x - previous.x) / fingerCount, (now.y - previous.y) / fingerCount];
      const moved = panCrop(picture, crop, right, down, scale);
      if (!other) return moved;
      const distance = Math.hypot(now.x - other.x, now.y - other.y);
      const previousDistance = Math.hypot(previous.x - other.x, previous.y - other.y);
      return clampCrop(picture, { ...moved, zoom: (moved.zoom * distance) / previousDistance });
    });
  };
  const release = (event: PointerEvent) => void fingers.current.delete(event.pointerId);
  return { onPointerDown, onPointerMove, onPointerUp: release, onPointerCancel: release };
}

/** The crop after a key press; undefined for keys without a function here. */
function cropForKey(event: KeyboardEvent, picture: Size, crop: Crop, scale: number): Crop | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const step = event.shiftKey ? STEP_PX * 10 : STEP_PX;
  const cropOf: Partial<Record<string, () => Crop>> = {
    ArrowLeft: () => panCrop(picture, crop, step, 0, scale),
    ArrowRight: () => panCrop(picture, crop, -step, 0, scale),
    ArrowUp: () => panCrop(picture, crop, 0, step, scale),
    ArrowDown: () => panCrop(picture, crop, 0, -step, scale),
    "+": () => clampCrop(picture, { ...crop, zoom: crop.zoom * ZOOM_STEP }),
    "=": () => clampCrop(picture, { ...crop, zoom: crop.zoom * ZOOM_STEP }),
    "-": () => clampCrop(picture, { ...crop, zoom: crop.zoom / ZOOM_STEP }),
    r: () => clampCrop(picture, { ...crop, quarterTurns: crop.quarterTurns + 1 }),
    R: () => clampCrop(picture, { ...crop, quarterTurns: crop.quarterTurns - 1 }),
  };
  return cropOf[event.key]?.();
}
