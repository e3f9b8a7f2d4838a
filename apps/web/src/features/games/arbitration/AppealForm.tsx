import { APPEAL_TEXT_MIN_CHARS } from "@lambda/contract/limits";
import { trpc } from "../../../api/trpc.ts";
import { StatementForm } from "../layout/StatementForm.tsx";
import { useAppealCopy } from "./appeal-copy.ts";

export function AppealForm({ reportId, onSent }: { reportId: number; onSent: () => void }) {
  const copy = useAppealCopy();
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
