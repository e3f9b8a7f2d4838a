import type { Profile } from "@lambda/contract/profiles";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { useState } from "react";
import { useCopy } from "../../format/i18n.ts";
import { ReportDialog } from "../ReportDialog/ReportDialog.tsx";
import { memberActionsCopy } from "./copy.ts";
import css from "./member-actions.module.css";
import { useBlock } from "./use-block.ts";

/** The Action button, which reveals buttons to block and report the member. */
export function MemberActions({ profile }: { profile: Profile }) {
  const copy = useCopy(memberActionsCopy);
  const [open, setOpen] = useState(false);
  const [reporting, setReporting] = useState(false);
  const { block, blocked, isPending } = useBlock();

  if (blocked) {
    return (
      <Banner tone="warn" role="alert">
        {copy.blocked}
      </Banner>
    );
  }
  return (
    <section className={css.actions} aria-label={copy.action}>
      <Button icon="dots" aria-expanded={open} onClick={() => setOpen(!open)}>
        {copy.action}
      </Button>
      {open && (
        <div className={css.list}>
          <Button variant="danger" icon="block" busy={isPending} onClick={() => block(profile.id)}>
            {copy.block}
          </Button>
          <Button icon="flag" onClick={() => setReporting(true)}>
            {copy.report}
          </Button>
        </div>
      )}
      <ReportDialog
        reported={
          reporting
            ? { subjectProfileId: profile.id, pictureIds: profile.profilePicIds, voiceId: profile.voice?.id }
            : undefined
        }
        onClose={() => setReporting(false)}
      />
    </section>
  );
}
