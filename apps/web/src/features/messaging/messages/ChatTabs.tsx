import { Tabs } from "@lambda/ui/tabs";
import { useChatCopy } from "./copy.ts";

export function ChatTabs({ here }: { here: "personal" | "broadcast" }) {
  const copy = useChatCopy();
  const tabs = [
    { href: "/chat/personal", label: copy.personalChat },
    { href: "/chat/broadcast", label: copy.mapChat },
  ];
  return <Tabs label={copy.tabs} current={`/chat/${here}`} tabs={tabs} />;
}
