import type { PictureAudience } from "@lambda/contract/pictures";
import { Button } from "@lambda/ui/button";
import { DropZone } from "@lambda/ui/drop-zone";
import { Segmented } from "@lambda/ui/segmented";
import { Switch } from "@lambda/ui/switch";
import { useRef, useState } from "react";
import type { Uploads } from "../../../components/PictureUpload/use-uploads.ts";
import { useCopy } from "../../../format/i18n.ts";
import { picturesCopy } from "../copy.ts";
import { UploadRow } from "./UploadRow.tsx";
import css from "./upload-panel.module.css";

/** Chooses, drops or takes pictures, sets who may see them, and lists the state of each upload. */
export function UploadPanel({
  uploads,
  audience: initialAudience = "public",
}: {
  uploads: Uploads;
  audience?: "public" | "private";
}) {
  const copy = useCopy(picturesCopy).upload;
  const [audience, setAudience] = useState<Exclude<PictureAudience, "chat">>(initialAudience);
  const [nsfw, setNsfw] = useState(false);
  const [harmless, setHarmless] = useState(false);
  const camera = useRef<HTMLInputElement>(null);
  const add = (files: readonly File[]) => uploads.add(files, { audience, nsfw, harmless: harmless && !nsfw });

  return (
    <div className="stack gap-4 full-width">
      <div className="stack gap-2">
        <Segmented
          label={copy.audience}
          value={audience}
          onChange={setAudience}
          options={[
            { value: "public", label: copy.public, icon: "globe" },
            { value: "private", label: copy.private, icon: "lock" },
          ]}
        />
        <Switch label={copy.nsfw} help={copy.nsfwHelp} checked={nsfw} onChange={setNsfw} />
        {!nsfw && <Switch label={copy.harmless} help={copy.harmlessHelp} checked={harmless} onChange={setHarmless} />}
      </div>
      <div className={css.zone}>
        <DropZone accept="image/*" multiple icon="upload" label={copy.choose} help={copy.help} onFiles={add} />
      </div>
      <input
        ref={camera}
        type="file"
        accept="image/*"
        capture="user"
        hidden
        tabIndex={-1}
        aria-hidden="true"
        onChange={(event) => {
          add([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <Button icon="camera" full className={css.camera} onClick={() => camera.current?.click()}>
        {copy.camera}
      </Button>
      {uploads.uploads.length > 0 && (
        <ul className="stack gap-2 plain-list">
          {uploads.uploads.map((upload) => (
            <UploadRow key={upload.id} upload={upload} uploads={uploads} />
          ))}
        </ul>
      )}
    </div>
  );
}
