import type { Profile } from "@lambda/contract/profiles";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { useState } from "react";
import { useCopy } from "../../../lib/i18n.ts";
import { useBlock } from "../../likes/useBlock.ts";
import { profileCopy } from "../copy.ts";
import css from "./member-actions.module.css";
import { ReportSheet } from "./ReportSheet.tsx";

/** The Action button, and what it reveals: to block him, to report him. */
export function MemberActions({ profile }: { profile: Profile }) {
  const copy = useCopy(profileCopy);
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
      <ReportSheet open={reporting} profile={profile} onClose={() => setReporting(false)} />
    </section>
  );
}
