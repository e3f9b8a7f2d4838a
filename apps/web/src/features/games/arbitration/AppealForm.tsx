import { APPEAL_TEXT_MIN_CHARS } from "@lambda/contract/limits";
import { trpc } from "../../../api/trpc.ts";
import { refreshAfter } from "../../../components/use-action.ts";
import { StatementForm } from "../layout/StatementForm.tsx";
import { useAppealCopy } from "./appeal-copy.ts";

export function AppealForm({ reportId, refresh }: { reportId: number; refresh: () => Promise<unknown> }) {
  const copy = useAppealCopy();
  // Also after a failure: a call without an answer may have been carried out.
  const appeal = trpc.reports.appeal.useMutation({ onSettled: refreshAfter(refresh) });
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
