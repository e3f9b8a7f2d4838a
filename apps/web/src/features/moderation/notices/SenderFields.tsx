import { NOTICE_CONTACT_MAX_CHARS, REAL_NAME_MAX_CHARS } from "@lambda/contract/limits";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Checkbox } from "@lambda/ui/checkbox";
import { TextField } from "@lambda/ui/text-field";
import { EmailField } from "../../../components/EmailField.tsx";
import { useNoticesCopy } from "./copy.ts";
import type { NoticeForm } from "./use-notice-form.ts";

/** The last fields of both forms: the notifier's name and contact, the good-faith statement, and the submit button. */
export function SenderFields({ form, faith, submit }: { form: NoticeForm; faith: string; submit: string }) {
  const copy = useNoticesCopy();
  const { fields, set, errorOf } = form;
  return (
    <>
      <TextField
        label={copy.name}
        help={copy.nameHelp}
        autoComplete="name"
        maxLength={REAL_NAME_MAX_CHARS}
        {...form.field("name", copy.nameRequired)}
      />
      <EmailField
        label={copy.email}
        help={copy.emailHelp}
        autoComplete="email"
        {...form.field("email", copy.emailRequired)}
      />
      <TextField
        autoComplete="off"
        label={copy.contact}
        maxLength={NOTICE_CONTACT_MAX_CHARS}
        {...form.field("contact")}
      />
      <Checkbox
        label={faith}
        checked={fields.goodFaith}
        error={errorOf("goodFaith", copy.faithRequired)}
        onValue={(goodFaith) => set({ goodFaith })}
      />
      <div role="status">
        {form.isBusy && (
          <Banner>
            {form.isHarder && `${copy.harder} `}
            {copy.working(Math.round(form.progress * 100))}
          </Banner>
        )}
        {form.errorMessage !== "" && <Banner tone="danger">{form.errorMessage}</Banner>}
      </div>
      <Button type="submit" variant="primary" icon="send" busy={form.isBusy} label={submit} />
      <p className="muted">{copy.kept}</p>
    </>
  );
}
