import { useToast } from "@lambda/ui/toast";
import { useState } from "react";
import { uploadCopy } from "../../../components/PictureUpload/copy.ts";
import { useLocale } from "../../../format/i18n.ts";
import { chunkOf } from "../../../routing/load-chunk.ts";

/** Fetched with the first picture, as most messages are words. */
const upload = chunkOf(() => import("../../../components/PictureUpload/upload.ts"));

/** The pictures of a message that is being written: each is uploaded as soon as it is chosen. */
export function useMessagePictures(account: number) {
  const [locale] = useLocale();
  const toast = useToast();
  const [ids, setIds] = useState<number[]>([]);
  const [uploading, setUploading] = useState(0);

  const refuse = (reasons: string) => toast({ text: uploadCopy[locale].error(reasons), tone: "danger" });
  const uploadOne = async (file: File) => {
    const { judgeFile, refusalText, sendPicture, uploadErrorText } = await upload.load();
    const refusal = judgeFile(file);
    if (refusal) return refuse(refusalText(refusal, locale));
    setUploading((count) => count + 1);
    try {
      const { id } = await sendPicture({ file, name: file.name, profileId: account, audience: "chat" });
      setIds((known) => [...known, id]);
    } catch (error) {
      refuse(uploadErrorText(error, locale));
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
    remove: (id: number) => setIds((known) => known.filter((other) => other !== id)),
    clear: () => setIds([]),
  };
}

export type MessagePictures = ReturnType<typeof useMessagePictures>;
