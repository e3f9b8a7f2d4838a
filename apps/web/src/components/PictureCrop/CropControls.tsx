import { IconButton } from "@lambda/ui/icon-button";
import { formatNumber } from "../../format/distance.ts";
import { useCropCopy } from "./copy.ts";
import css from "./crop.module.css";
import { type Crop, clampCrop, initialCrop, type Size, TILT_MAX_DEGREES, ZOOM_MAX } from "./geometry.ts";

interface CropControlsProps {
  picture: Size;
  crop: Crop;
  onChange: (crop: Crop) => void;
}

export function CropControls({ picture, crop, onChange }: CropControlsProps) {
  const copy = useCropCopy();
  const change = (changes: Partial<Crop>) => onChange(clampCrop(picture, { ...crop, ...changes }));
  const zoom = `${formatNumber(crop.zoom, 1)}×`;
  return (
    <div className="stack gap-1">
      <label className={`stack gap-3 ${css.slider}`}>
        <span>{copy.zoom}</span>
        <input
          type="range"
          // Logarithmic, so that each step zooms by the same factor.
          min={0}
          max={Math.log(ZOOM_MAX)}
          step={0.01}
          value={Math.log(crop.zoom)}
          aria-valuetext={zoom}
          onChange={(event) => change({ zoom: Math.exp(Number(event.target.value)) })}
        />
        <span className={`muted ${css.value}`}>{zoom}</span>
      </label>
      <label className={`stack gap-3 ${css.slider}`}>
        <span>{copy.straighten}</span>
        <input
          type="range"
          min={-TILT_MAX_DEGREES}
          max={TILT_MAX_DEGREES}
          step={0.5}
          value={crop.tilt}
          aria-valuetext={`${crop.tilt}°`}
          onChange={(event) => change({ tilt: Number(event.target.value) })}
        />
        <span className={`muted ${css.value}`}>{crop.tilt}°</span>
      </label>
      <div className="flex gap-3 justify-center">
        <IconButton
          icon="rotate"
          tone="raised"
          className={css.left}
          label={copy.left}
          onClick={() => change({ quarterTurns: crop.quarterTurns - 1 })}
        />
        <IconButton
          icon="rotate"
          tone="raised"
          label={copy.right}
          onClick={() => change({ quarterTurns: crop.quarterTurns + 1 })}
        />
        <IconButton icon="undo" tone="raised" label={copy.reset} onClick={() => onChange(initialCrop(picture))} />
      </div>
    </div>
  );
}
