import { BLOCKED_REDIRECT_MS } from "@lambda/contract/limits";
import type { Profile } from "@lambda/contract/profiles";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { useToast } from "@lambda/ui/toast";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { errorText } from "../../../lib/error-text.ts";
import { useCopy } from "../../../lib/i18n.ts";
import { trpc } from "../../../lib/trpc.ts";
import { profileCopy } from "../copy.ts";
import css from "./member-actions.module.css";
import { ReportSheet } from "./ReportSheet.tsx";

/** The Action button, and what it reveals: to block him, to report him. */
export function MemberActions({ profile }: { profile: Profile }) {
  const copy = useCopy(profileCopy);
  const [open, setOpen] = useState(false);
  const [reporting, setReporting] = useState(false);
  const [blocked, setBlocked] = useState(false);
  const [, navigate] = useLocation();
  const toast = useToast();
  const utils = trpc.useUtils();
  const like = trpc.likes.put.useMutation({
    onSuccess: () => setBlocked(true),
    onError: (error) => toast({ text: errorText(error), tone: "danger" }),
  });

  useEffect(() => {
    if (!blocked) return;
    const timer = setTimeout(() => {
      navigate("/");
      // He is nowhere from now on: nothing that was fetched before may still show him.
      void utils.invalidate();
    }, BLOCKED_REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [blocked, navigate, utils]);

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
          <Button
            variant="danger"
            icon="block"
            busy={like.isPending}
            onClick={() => like.mutate({ likedProfileId: profile.id, blocked: true })}
          >
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
