import type { ErrorBody } from "@lambda/contract/errors";
import { ApiError } from "../../../api/api-error.ts";
import { documentFetch } from "../../../api/api-fetch.ts";
import { saveFile } from "../../../device/save-file.ts";
import { useCopy } from "../../../format/i18n.ts";
import { settingsCopy } from "../copy.ts";
import { ConfirmedAction } from "./ConfirmedAction.tsx";

/** Downloads all of the member's data. Requires a proof of identity, because a phone in the wrong hands must not be enough. */
export function DownloadData() {
  const { data: copy } = useCopy(settingsCopy);
  return (
    <ConfirmedAction
      icon="download"
      label={copy.download}
      title={copy.confirmTitle}
      confirm={{ label: copy.yes, variant: "primary", icon: "download" }}
      busyLabel={copy.preparing}
      onConfirm={downloadExport}
      failureText={() => copy.failed}
    >
      <p>{copy.confirmText}</p>
    </ConfirmedAction>
  );
}

async function downloadExport(): Promise<void> {
  const response = await documentFetch("/api/account/export", { method: "POST" });
  if (!response.ok) {
    const body = (await response.json().catch(() => undefined)) as ErrorBody | undefined;
    throw new ApiError(response.status, body?.error);
  }
  const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "export.zip";
  saveFile(await response.blob(), name);
}
