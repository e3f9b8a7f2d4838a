import { UPLOAD_DONE_SHOWN_MS } from "@lambda/contract/limits";
import { Button } from "@lambda/ui/button";
import { useToast } from "@lambda/ui/toast";
import { useEffect } from "react";
import { goTo } from "../../../routing/navigation.ts";
import { usePicturesCopy } from "../copy.ts";
import { UploadPanel } from "./UploadPanel.tsx";
import { useGalleryUploads } from "./use-gallery-uploads.ts";

const EDIT = "/profileEdit";

/** When every file is uploaded, a toast is shown for 2 s and then the profile editor opens. A rejected file keeps this screen open. */
export default function UploadScreen() {
  const { upload: copy, back } = usePicturesCopy();
  const toast = useToast();
  const uploads = useGalleryUploads();
  const { uploads: all } = uploads;
  const isFinished = all.length > 0 && all.every((upload) => upload.state === "done");

  useEffect(() => {
    if (!isFinished) return;
    toast({ text: copy.uploaded, tone: "success", ms: UPLOAD_DONE_SHOWN_MS });
    const timer = setTimeout(() => goTo(EDIT), UPLOAD_DONE_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isFinished, toast, copy.uploaded]);

  return (
    <div className="stack gap-5 centered measure">
      <p>{copy.text}</p>
      <UploadPanel uploads={uploads} />
      <Button variant="quiet" icon="back" href={EDIT} label={back} />
    </div>
  );
}
