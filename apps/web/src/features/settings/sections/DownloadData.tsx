import type { Settings } from "@lambda/contract/settings";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Sheet } from "@lambda/ui/sheet";
import { TextField } from "@lambda/ui/text-field";
import { useState } from "react";
import { documentFetch } from "../../../api/api-fetch.ts";
import { useCopy } from "../../../format/i18n.ts";
import { settingsCopy } from "../copy.ts";
import { FreshLink } from "./FreshLink.tsx";
import css from "./settings.module.css";

type Progress = "idle" | "busy" | "refused" | "failed";

/** Everything in one file, for its owner alone: a found phone must not be enough to take it along. */
export function DownloadData({ settings }: { settings: Settings }) {
  const { data: copy, account, close, cancel } = useCopy(settingsCopy);
  const [open, setOpen] = useState(false);
  const [progress, setProgress] = useState<Progress>("idle");
  const [currentPassword, setCurrentPassword] = useState("");
  const { freshLink, hasPassword } = settings;

  const download = async () => {
    setProgress("busy");
    try {
      const answer = await documentFetch("/api/account/export", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(currentPassword === "" ? {} : { currentPassword }),
      });
      if (answer.status === 403) return setProgress("refused");
      if (!answer.ok) throw new Error(`the export answered ${answer.status}`);
      const name = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? "export.zip";
      save(await answer.blob(), name);
      setProgress("idle");
      setCurrentPassword("");
      setOpen(false);
    } catch {
      setProgress("failed");
    }
  };

  return (
    <>
      <div>
        <Button icon="download" onClick={() => setOpen(true)}>
          {copy.download}
        </Button>
      </div>
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title={copy.confirmTitle}
        closeLabel={close}
        footer={
          <div className={css.actions}>
            <Button onClick={() => setOpen(false)}>{cancel}</Button>
            <Button
              variant="primary"
              icon="download"
              disabled={!freshLink && currentPassword === ""}
              busy={progress === "busy"}
              onClick={download}
            >
              {progress === "busy" ? copy.preparing : copy.yes}
            </Button>
          </div>
        }
      >
        <div className={css.stack}>
          <p>{copy.confirmText}</p>
          {!freshLink && hasPassword && (
            <TextField
              label={account.current}
              type="password"
              autoComplete="current-password"
              value={currentPassword}
              error={progress === "refused" ? account.currentWrong : undefined}
              onChange={(event) => setCurrentPassword(event.target.value)}
            />
          )}
          {!freshLink && !hasPassword && <p className={css.muted}>{copy.needsLink}</p>}
          {!freshLink && <FreshLink email={settings.email} hasPassword />}
          {progress === "failed" && (
            <Banner tone="danger" role="alert">
              {copy.failed}
            </Banner>
          )}
        </div>
      </Sheet>
    </>
  );
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
