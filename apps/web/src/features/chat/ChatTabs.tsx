import { Tabs } from "@lambda/ui/tabs";
import { useCopy } from "../../format/i18n.ts";
import { chatCopy } from "./copy.ts";

export function ChatTabs({ here }: { here: "personal" | "broadcast" }) {
  const copy = useCopy(chatCopy);
  const tabs = [
    { href: "/chat/personal", label: copy.personalChat },
    { href: "/chat/broadcast", label: copy.mapChat },
  ];
  return <Tabs label={copy.tabs} current={`/chat/${here}`} tabs={tabs} />;
}
