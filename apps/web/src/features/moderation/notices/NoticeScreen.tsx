import { NOTICE_LOCATION_MAX_CHARS, TEXT_MAX_CHARS } from "@lambda/contract/limits";
import { Banner } from "@lambda/ui/banner";
import { Link } from "@lambda/ui/link";
import { RadioGroup } from "@lambda/ui/radio-group";
import { TextArea } from "@lambda/ui/text-area";
import { useParams } from "wouter";
import { Form } from "../../../components/Form.tsx";
import { useNoticesCopy } from "./copy.ts";
import { FiledReceipt } from "./FiledReceipt.tsx";
import css from "./notices.module.css";
import { Receipt } from "./Receipt.tsx";
import { SenderFields } from "./SenderFields.tsx";
import { useNoticeForm } from "./use-notice-form.ts";

/** The form that reports illegal content or, if the URL has a notice's number, the receipt of that notice. */
export default function NoticeScreen() {
  const { ref = "" } = useParams<{ ref?: string }>();
  return ref === "" ? <IllegalNotice /> : <Receipt key={ref} number={ref} />;
}

const CATEGORIES = ["minor", "threat", "hate", "harassment", "scam", "impersonation", "other"] as const;

/** The form that reports illegal content. Needs no account. */
function IllegalNotice() {
  const copy = useNoticesCopy();
  const form = useNoticeForm("illegal");
  const { fields, set, errorOf } = form;
  if (form.filed) return <FiledReceipt filed={form.filed} />;
  return (
    <Form className={`stack gap-4 full-width measure letter ${css.notice}`} onSubmit={form.submit} noValidate>
      <h2 className="type-display">{copy.illegal.title}</h2>
      <p className="type-lead">{copy.illegal.lead}</p>
      <p>
        {copy.illegal.intimate} <Link href="/remove-image">{copy.illegal.intimateLink}</Link>
      </p>
      <RadioGroup
        label={copy.illegal.category}
        value={CATEGORIES.find((category) => category === fields.category)}
        options={CATEGORIES.map((value) => ({ value, label: copy.illegal.categories[value] }))}
        error={errorOf("category", copy.categoryRequired)}
        onChange={(category) => set({ category })}
      />
      <TextArea
        label={copy.illegal.location}
        help={copy.illegal.locationHelp}
        max={NOTICE_LOCATION_MAX_CHARS}
        {...form.field("location", copy.illegal.locationRequired)}
      />
      <TextArea
        label={copy.illegal.explanation}
        help={copy.illegal.explanationHelp}
        minRows={5}
        max={TEXT_MAX_CHARS}
        {...form.field("explanation", copy.illegal.explanationRequired)}
      />
      {fields.category === "minor" && <Banner>{copy.illegal.anonymous}</Banner>}
      <SenderFields form={form} faith={copy.illegal.faith} submit={copy.illegal.submit} />
    </Form>
  );
}
