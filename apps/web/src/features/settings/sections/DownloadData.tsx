import type { Settings } from "@lambda/contract/settings";
import { useState } from "react";
import { documentFetch } from "../../../api/api-fetch.ts";
import { saveFile } from "../../../device/save-file.ts";
import { useCopy } from "../../../format/i18n.ts";
import { settingsCopy } from "../copy.ts";
import { ConfirmedAction } from "./ConfirmedAction.tsx";
import type { IdentityProof } from "./IdentityConfirmation.tsx";

type Progress = "idle" | "busy" | "refused" | "failed";

/** Everything in one file, for its owner alone: a found phone must not be enough to take it along. */
export function DownloadData({ settings }: { settings: Settings }) {
  const { data: copy, account } = useCopy(settingsCopy);
  const [progress, setProgress] = useState<Progress>("idle");
  const download = async (proof: IdentityProof) => {
    setProgress("busy");
    const result = await downloadExport(proof);
    setProgress(result === "done" ? "idle" : result);
    return result === "done";
  };
  return (
    <ConfirmedAction
      settings={settings}
      icon="download"
      label={copy.download}
      title={copy.confirmTitle}
      confirm={{ label: progress === "busy" ? copy.preparing : copy.yes, variant: "primary", icon: "download" }}
      busy={progress === "busy"}
      onConfirm={download}
      needsLink={copy.needsLink}
      error={progress === "refused" ? account.currentWrong : undefined}
      failure={progress === "failed" ? copy.failed : undefined}
    >
      <p>{copy.confirmText}</p>
    </ConfirmedAction>
  );
}

async function downloadExport(proof: IdentityProof): Promise<"done" | "refused" | "failed"> {
  try {
    const response = await documentFetch("/api/account/export", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(proof),
    });
    if (response.status === 403) return "refused";
    if (!response.ok) return "failed";
    const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "export.zip";
    saveFile(await response.blob(), name);
    return "done";
  } catch {
    return "failed";
  }
}
