import { Button } from "@lambda/ui/button";
import { goTo } from "../../routing/navigation.ts";
import { useConfirmLinkCopy } from "./confirm-link-copy.ts";
import { EntryPage } from "./EntryPage.tsx";
import type { LinkConfirmation } from "./use-login.ts";

/** Asks before following a login link that this device did not request, or that would replace the member's own session. */
export default function ConfirmLinkPage({
  confirmation,
  onConfirm,
}: {
  confirmation: LinkConfirmation;
  onConfirm: () => void;
}) {
  const copy = useConfirmLinkCopy();
  const { address, replacesOwnSession } = confirmation;
  return (
    <EntryPage
      title={replacesOwnSession ? copy.otherTitle : copy.askedTitle(address)}
      text={replacesOwnSession ? copy.otherText(address) : copy.askedText}
    >
      <Button
        variant="primary"
        label={replacesOwnSession ? copy.otherNo : copy.askedNo}
        onClick={() => goTo("/", { replace: true })}
      />
      <Button label={replacesOwnSession ? copy.otherYes : copy.askedYes} onClick={onConfirm} />
    </EntryPage>
  );
}
