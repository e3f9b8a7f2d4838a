import { APPEAL_TEXT_MIN_CHARS } from "@lambda/contract/limits";
import { trpc } from "../../../api/trpc.ts";
import { useCopy } from "../../../format/i18n.ts";
import { StatementForm } from "../layout/StatementForm.tsx";
import { appealCopy } from "./appeal-copy.ts";

export function AppealForm({ reportId, onSent }: { reportId: number; onSent: () => void }) {
  const copy = useCopy(appealCopy);
  const appeal = trpc.reports.appeal.useMutation({ onSuccess: onSent });
  return (
    <StatementForm
      openLabel={copy.appeal}
      label={copy.appeal}
      help={copy.appealHelp}
      sendLabel={copy.appealSend}
      minChars={APPEAL_TEXT_MIN_CHARS}
      mutation={appeal}
      onSend={(text) => appeal.mutate({ reportId, text })}
    />
  );
}
