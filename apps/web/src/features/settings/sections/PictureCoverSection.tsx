import type { PictureCover } from "@lambda/contract/messages";
import { FormSection } from "@lambda/ui/form-section";
import { Select } from "@lambda/ui/select";
import { useToast } from "@lambda/ui/toast";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { useCopy } from "../../../format/i18n.ts";
import { pictureCoverCopy } from "./picture-cover-copy.ts";

/** Whose pictures stay covered until they are pressed; saved at once. A part of the account page. */
export function PictureCoverSection() {
  const copy = useCopy(pictureCoverCopy);
  const toast = useToast();
  const utils = trpc.useUtils();
  const { data } = trpc.messages.preferences.useQuery();
  const save = trpc.messages.updatePreferences.useMutation({
    onSuccess: (preferences) => utils.messages.preferences.setData(undefined, preferences),
    onError: (error) => toast({ text: errorText(error), tone: "danger" }),
  });
  return (
    <FormSection title={copy.title} text={copy.text}>
      <Select
        label={copy.label}
        disabled={!data}
        value={data?.coverPictures ?? "unknown"}
        options={Object.entries(copy.covers).map(([value, label]) => ({ value, label }))}
        onChange={(event) => save.mutate({ coverPictures: event.target.value as PictureCover })}
      />
    </FormSection>
  );
}
