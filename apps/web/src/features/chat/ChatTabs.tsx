import { Link } from "@lambda/ui/link";
import { useCopy } from "../../format/i18n.ts";
import css from "./chat.module.css";
import { chatCopy } from "./copy.ts";

export function ChatTabs({ here }: { here: "personal" | "broadcast" }) {
  const copy = useCopy(chatCopy);
  return (
    <nav className={`flex gap-5 ${css.tabs}`} aria-label={copy.tabs}>
      <Link href="/chat/personal" aria-current={here === "personal" ? "page" : undefined}>
        {copy.personalChat}
      </Link>
      <Link href="/chat/broadcast" aria-current={here === "broadcast" ? "page" : undefined}>
        {copy.mapChat}
      </Link>
    </nav>
  );
}
