import { useToast } from "@lambda/ui/toast";
import { useState } from "react";
import { uploadCopy } from "../../../components/PictureUpload/copy.ts";
import { useLocale } from "../../../format/i18n.ts";
import { createChunkLoader } from "../../../routing/load-chunk.ts";

/** Loaded with the first picture, because most messages have none. */
const upload = createChunkLoader(() => import("../../../components/PictureUpload/upload.ts"));

/** The pictures of an unsent message. Each is uploaded as soon as it is chosen. */
export function useMessagePictures(account: number) {
  const [locale] = useLocale();
  const toast = useToast();
  const [ids, setIds] = useState<number[]>([]);
  const [uploading, setUploading] = useState(0);

  const showError = (reason: string) => toast({ text: uploadCopy[locale].error(reason), tone: "danger" });
  const uploadOne = async (file: File) => {
    const loaded = await upload.load().catch(() => undefined);
    if (!loaded) return showError(uploadCopy[locale].offline);
    const { checkFile, refusalText, sendPicture, uploadErrorText } = loaded;
    const refusal = checkFile(file);
    if (refusal) return showError(refusalText(refusal, locale));
    setUploading((count) => count + 1);
    try {
      const { id } = await sendPicture({ file, name: file.name, profileId: account, audience: "chat" });
      setIds((current) => [...current, id]);
    } catch (error) {
      showError(uploadErrorText(error, locale));
    } finally {
      setUploading((count) => count - 1);
    }
  };
  return {
    ids,
    uploading,
    upload: async (files: Iterable<File>) => {
      for (const file of files) await uploadOne(file);
    },
    remove: (id: number) => setIds((current) => current.filter((other) => other !== id)),
    clear: () => setIds([]),
  };
}

export type MessagePictures = ReturnType<typeof useMessagePictures>;
