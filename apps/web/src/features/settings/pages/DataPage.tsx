import type { ErrorBody } from "@lambda/contract/errors";
import { Button } from "@lambda/ui/button";
import { Folds, FormSection } from "@lambda/ui/form-section";
import { ApiError } from "../../../api/api-error.ts";
import { documentFetch } from "../../../api/api-fetch.ts";
import { saveFile } from "../../../device/save-file.ts";
import { useCopy } from "../../../format/i18n.ts";
import { settingsCopy } from "../copy.ts";
import { ConfirmedAction } from "../sections/ConfirmedAction.tsx";
import { DeleteAccount } from "../sections/DeleteAccount.tsx";
import { LocationSection } from "../sections/LocationSection.tsx";
import { VersionSection } from "../sections/VersionSection.tsx";
import type { AccountPageProps } from "./pages.ts";

export default function DataPage({ open }: AccountPageProps) {
  return (
    <Folds open={open}>
      <DataSection />
      <VersionSection />
      <LocationSection />
    </Folds>
  );
}

function DataSection() {
  const { data: copy, deletion } = useCopy(settingsCopy);
  return (
    <>
      <div id="download">
        <FormSection title={copy.title} text={copy.text}>
          <DownloadData />
          <div>
            <Button href="/import">{copy.bring}</Button>
          </div>
        </FormSection>
      </div>
      <div id="deletion">
        <FormSection title={deletion.title} text={deletion.text}>
          <DeleteAccount />
        </FormSection>
      </div>
    </>
  );
}

/** Downloads all of the member's data. Requires a proof of identity, because a phone in the wrong hands must not be enough. */
function DownloadData() {
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
