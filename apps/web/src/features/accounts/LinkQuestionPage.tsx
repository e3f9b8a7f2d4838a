import { Button } from "@lambda/ui/button";
import { useCopy } from "../../format/i18n.ts";
import { goTo } from "../../routing/navigation.ts";
import { EntryPage } from "./EntryPage.tsx";
import { linkQuestionCopy } from "./link-question-copy.ts";
import type { LinkQuestion } from "./use-login.ts";

/** A link that this device did not ask for, or that opens another account: whose is it to be? */
export default function LinkQuestionPage({ asked, onConfirm }: { asked: LinkQuestion; onConfirm: () => void }) {
  const copy = useCopy(linkQuestionCopy);
  const { address, inPlaceOfOwn } = asked;
  return (
    <EntryPage
      title={inPlaceOfOwn ? copy.otherTitle : copy.askedTitle(address)}
      text={inPlaceOfOwn ? copy.otherText(address) : copy.askedText}
    >
      <Button variant="primary" onClick={() => goTo("/", { replace: true })}>
        {inPlaceOfOwn ? copy.otherNo : copy.askedNo}
      </Button>
      <Button onClick={onConfirm}>{inPlaceOfOwn ? copy.otherYes : copy.askedYes}</Button>
    </EntryPage>
  );
}
