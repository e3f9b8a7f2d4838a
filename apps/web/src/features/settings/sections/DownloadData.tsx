import type { Settings } from "@lambda/contract/settings";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { useState } from "react";
import { documentFetch } from "../../../api/api-fetch.ts";
import { useCopy } from "../../../format/i18n.ts";
import { settingsCopy } from "../copy.ts";
import { ConfirmSheet } from "./ConfirmSheet.tsx";
import { IdentityConfirmation, useIdentityConfirmation } from "./IdentityConfirmation.tsx";

type Progress = "idle" | "busy" | "refused" | "failed";

/** Everything in one file, for its owner alone: a found phone must not be enough to take it along. */
export function DownloadData({ settings }: { settings: Settings }) {
  const { data: copy, account } = useCopy(settingsCopy);
  const [open, setOpen] = useState(false);
  const [progress, setProgress] = useState<Progress>("idle");
  const confirmation = useIdentityConfirmation(settings);

  const download = async () => {
    setProgress("busy");
    const result = await downloadExport(confirmation.proof);
    setProgress(result === "done" ? "idle" : result);
    if (result !== "done") return;
    confirmation.setCurrentPassword("");
    setOpen(false);
  };
  return (
    <>
      <div>
        <Button icon="download" onClick={() => setOpen(true)}>
          {copy.download}
        </Button>
      </div>
      <ConfirmSheet
        open={open}
        onClose={() => setOpen(false)}
        title={copy.confirmTitle}
        action={
          <Button
            variant="primary"
            icon="download"
            disabled={!confirmation.isGiven}
            busy={progress === "busy"}
            onClick={download}
          >
            {progress === "busy" ? copy.preparing : copy.yes}
          </Button>
        }
      >
        <p>{copy.confirmText}</p>
        <IdentityConfirmation
          settings={settings}
          confirmation={confirmation}
          needsLink={copy.needsLink}
          error={progress === "refused" ? account.currentWrong : undefined}
        />
        {progress === "failed" && (
          <Banner tone="danger" role="alert">
            {copy.failed}
          </Banner>
        )}
      </ConfirmSheet>
    </>
  );
}

async function downloadExport(proof: { currentPassword?: string }): Promise<"done" | "refused" | "failed"> {
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

function saveFile(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
