import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Menu, type MenuItem, type MenuProps } from "@lambda/ui/menu";
import { useState } from "react";
import { ReportDialog, type ReportTarget } from "../ReportDialog/ReportDialog.tsx";
import { useMemberActionsCopy } from "./copy.ts";
import type { Blocking } from "./use-block.ts";

export interface MemberMenuProps extends Pick<MenuProps, "tone"> {
  /** Whom and what a report is about. */
  target: ReportTarget;
  blocking: Blocking;
  /** The screen's own items, shown first. */
  items?: readonly MenuItem[];
  /** Shown last. */
  lastItem?: MenuItem;
}

/** The Action button at the top right of a member's profile, card or conversation, which reveals block and report. */
export function MemberMenu({ target, blocking, items = [], lastItem, tone }: MemberMenuProps) {
  const copy = useMemberActionsCopy();
  const [reporting, setReporting] = useState(false);
  return (
    <>
      <Menu
        {...(tone && { tone })}
        label={copy.action}
        items={[
          ...items,
          { icon: "flag", label: copy.report, opensSheet: true, onSelect: () => setReporting(true) },
          { icon: "block", label: copy.block, danger: true, disabled: blocking.isPending, onSelect: blocking.block },
          ...(lastItem ? [lastItem] : []),
        ]}
      />
      <ReportDialog reported={reporting ? target : undefined} onClose={() => setReporting(false)} />
    </>
  );
}

/** Replaces everything that one can do with the member, while the viewer is taken home. */
export function BlockedNotice({ blocking }: { blocking: Blocking }) {
  const copy = useMemberActionsCopy();
  return (
    <Banner
      tone="warn"
      role="alert"
      action={<Button busy={blocking.isPending} label={copy.undo} onClick={blocking.undo} />}
    >
      {copy.blocked}
    </Banner>
  );
}
