import { NOTICE_LOCATION_MAX_CHARS, TEXT_MAX_CHARS } from "@lambda/contract/limits";
import { Button } from "@lambda/ui/button";
import { DropZone } from "@lambda/ui/drop-zone";
import { Link } from "@lambda/ui/link";
import { RadioGroup } from "@lambda/ui/radio-group";
import { TextArea } from "@lambda/ui/text-area";
import { useState } from "react";
import { useCopy } from "../../format/i18n.ts";
import { noticesCopy } from "./copy.ts";
import { FiledReceipt } from "./FiledReceipt.tsx";
import css from "./notices.module.css";
import { SenderFields } from "./SenderFields.tsx";
import { shrinkPicture } from "./shrink-picture.ts";
import { type NoticeForm, useNoticeForm } from "./use-notice-form.ts";

const ROLES = ["shown", "authorised"] as const;

/** The form that asks for the removal of an intimate picture. Needs no account. */
export default function RemoveImageScreen() {
  const copy = useCopy(noticesCopy);
  const form = useNoticeForm("intimate");
  const { fields, set, errorOf } = form;
  if (form.filed) return <FiledReceipt filed={form.filed} />;
  return (
    <form className={css.notice} onSubmit={(event) => void form.submit(event)} noValidate>
      <h2 className={css.title}>{copy.remove.title}</h2>
      <p className={css.lead}>{copy.remove.lead}</p>
      <ol className={css.steps}>
        {copy.remove.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <RadioGroup
        label={copy.remove.role}
        value={ROLES.find((role) => role === fields.role)}
        options={ROLES.map((value) => ({ value, label: copy.remove.roles[value] }))}
        error={errorOf("role", copy.roleRequired)}
        onChange={(role) => set({ role })}
      />
      <PictureField form={form} />
      <TextArea
        label={copy.remove.location}
        help={copy.remove.locationHelp}
        name="location"
        max={NOTICE_LOCATION_MAX_CHARS}
        value={fields.location}
        error={errorOf("location", copy.remove.locationRequired)}
        onChange={(event) => set({ location: event.target.value })}
      />
      <TextArea
        label={copy.remove.explanation}
        name="explanation"
        max={TEXT_MAX_CHARS}
        value={fields.explanation}
        onChange={(event) => set({ explanation: event.target.value })}
      />
      <SenderFields form={form} faith={copy.remove.faith} submit={copy.remove.submit} />
      <p className={css.muted}>
        {copy.remove.illegal} <Link href="/notice">{copy.remove.illegalLink}</Link>
      </p>
    </form>
  );
}

function PictureField({ form }: { form: NoticeForm }) {
  const copy = useCopy(noticesCopy).remove;
  const [fileName, setFileName] = useState("");
  const [isUnreadable, setUnreadable] = useState(false);
  const choose = async ([file]: File[]) => {
    if (!file) return;
    try {
      form.set({ picture: await shrinkPicture(file) });
      setFileName(file.name);
      setUnreadable(false);
    } catch {
      setUnreadable(true);
    }
  };
  return (
    <div className={css.picture}>
      <DropZone
        accept="image/png,image/jpeg,image/webp"
        label={copy.picture}
        help={copy.pictureHelp}
        error={isUnreadable ? copy.pictureUnreadable : undefined}
        onFiles={(files) => void choose(files)}
      />
      {form.fields.picture !== "" && (
        <p className={css.chosen} role="status">
          {copy.pictureChosen(fileName)}
          <Button variant="quiet" onClick={() => form.set({ picture: "" })}>
            {copy.pictureDrop}
          </Button>
        </p>
      )}
    </div>
  );
}
