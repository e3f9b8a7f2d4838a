import type { Rule } from "@lambda/contract/moderation";
import { Button } from "@lambda/ui/button";
import { Select } from "@lambda/ui/select";
import { Sheet } from "@lambda/ui/sheet";
import { TextArea } from "@lambda/ui/text-area";
import { useToast } from "@lambda/ui/toast";
import { useState } from "react";
import { errorText } from "../../api/error-text.ts";
import { trpc } from "../../api/trpc.ts";
import css from "../../features/chat/chat.module.css";
import { chatCopy } from "../../features/chat/copy.ts";
import { useCopy } from "../../format/i18n.ts";

export interface Reported {
  readonly messageId: number;
  readonly subjectProfileId: number;
  readonly source: "message" | "broadcast";
}

/** Files a report that starts from a message, which is frozen as its evidence. */
export function ReportSheet({ reported, onClose }: { reported: Reported | undefined; onClose: () => void }) {
  const copy = useCopy(chatCopy);
  const toast = useToast();
  const [category, setCategory] = useState<Rule>("harassment");
  const [text, setText] = useState("");
  const file = trpc.reports.file.useMutation({
    onSuccess: () => {
      toast({ text: copy.reported, tone: "success" });
      setText("");
      onClose();
    },
    onError: (error) => toast({ text: errorText(error), tone: "danger" }),
  });
  const send = () => {
    if (!reported) return;
    const { messageId, subjectProfileId, source } = reported;
    file.mutate({ subjectProfileId, source, sourceId: messageId, messageIds: [messageId], category, text });
  };
  return (
    <Sheet
      open={reported !== undefined}
      onClose={onClose}
      title={copy.reportTitle}
      closeLabel={copy.close}
      footer={
        <Button variant="danger" full busy={file.isPending} onClick={send}>
          {copy.reportSend}
        </Button>
      }
    >
      <div className={css.sheet}>
        <Select
          label={copy.reportWhat}
          value={category}
          onChange={(event) => setCategory(event.target.value as Rule)}
          options={Object.entries(copy.rules).map(([value, label]) => ({ value, label }))}
        />
        <TextArea label={copy.reportMore} value={text} max={4000} onChange={(event) => setText(event.target.value)} />
      </div>
    </Sheet>
  );
}
