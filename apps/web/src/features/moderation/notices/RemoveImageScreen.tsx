import { NOTICE_LOCATION_MAX_CHARS, NOTICE_UPLOAD_PX, TEXT_MAX_CHARS } from "@lambda/contract/limits";
import { Button } from "@lambda/ui/button";
import { DropZone } from "@lambda/ui/drop-zone";
import { Link } from "@lambda/ui/link";
import { RadioGroup } from "@lambda/ui/radio-group";
import { TextArea } from "@lambda/ui/text-area";
import { useState } from "react";
import { Form } from "../../../components/Form.tsx";
import { convertPicture } from "../../../components/PictureUpload/prepare-picture.ts";
import { uploadErrorText } from "../../../components/PictureUpload/upload-error.ts";
import { useAbortSignal } from "../../../components/use-abort-signal.ts";
import { toBase64 } from "../../../device/base64.ts";
import { currentLocale } from "../../../format/i18n.ts";
import { useNoticesCopy } from "./copy.ts";
import { FiledReceipt } from "./FiledReceipt.tsx";
import css from "./notices.module.css";
import { SenderFields } from "./SenderFields.tsx";
import { type NoticeForm, useNoticeForm } from "./use-notice-form.ts";

const ROLES = ["shown", "authorised"] as const;

/** The form that asks for the removal of an intimate picture. Needs no account. */
export default function RemoveImageScreen() {
  const copy = useNoticesCopy();
  const form = useNoticeForm("intimate");
  const { fields, set, errorOf } = form;
  if (form.filed) return <FiledReceipt filed={form.filed} />;
  return (
    <Form className={`stack gap-4 full-width measure letter ${css.notice}`} onSubmit={form.submit} noValidate>
      <h2 className="type-display">{copy.remove.title}</h2>
      <p className="type-lead">{copy.remove.lead}</p>
      <ol className={`stack gap-2 ${css.steps}`}>
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
        max={NOTICE_LOCATION_MAX_CHARS}
        {...form.field("location", copy.remove.locationRequired)}
      />
      <TextArea label={copy.remove.explanation} max={TEXT_MAX_CHARS} {...form.field("explanation")} />
      <SenderFields form={form} faith={copy.remove.faith} submit={copy.remove.submit} />
      <p className="muted">
        {copy.remove.illegal} <Link href="/notice">{copy.remove.illegalLink}</Link>
      </p>
    </Form>
  );
}

function PictureField({ form }: { form: NoticeForm }) {
  const copy = useNoticesCopy().remove;
  const [fileName, setFileName] = useState("");
  const [failure, setFailure] = useState<string>();
  const { begin } = useAbortSignal();
  /** The server gets a small copy, which is enough for the perceptual hash. The original never leaves the device. */
  const choose = async ([file]: File[]) => {
    if (!file) return;
    const signal = begin();
    try {
      const copied = await convertPicture(file, { sidePx: NOTICE_UPLOAD_PX, signal });
      const picture = toBase64(new Uint8Array(await copied.arrayBuffer()));
      if (signal.aborted) return;
      form.set({ picture });
      setFileName(file.name);
      setFailure(undefined);
    } catch (error) {
      if (!signal.aborted) setFailure(uploadErrorText(error, currentLocale()));
    }
  };
  return (
    <div className="stack gap-2">
      <DropZone
        accept="image/*"
        label={copy.picture}
        help={copy.pictureHelp}
        error={failure}
        onFiles={(files) => void choose(files)}
      />
      {form.fields.picture !== "" && (
        <p className="row wrap gap-2 between break-anywhere" role="status">
          {copy.pictureChosen(fileName)}
          <Button variant="quiet" label={copy.pictureDrop} onClick={() => form.set({ picture: "" })} />
        </p>
      )}
    </div>
  );
}
