import type { Settings } from "@lambda/contract/settings";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { FormSection } from "@lambda/ui/form-section";
import { useState } from "react";
import { documentFetch } from "../../../api/api-fetch.ts";
import { useCopy } from "../../../format/i18n.ts";
import { settingsCopy } from "../copy.ts";
import { DeleteAccount } from "./DeleteAccount.tsx";

/** Taking one's data along, and leaving. */
export function DataSection({ settings }: { settings: Settings }) {
  const { data: copy, deletion } = useCopy(settingsCopy);
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");

  const download = async () => {
    setState("busy");
    try {
      const answer = await documentFetch("/api/account/export");
      if (!answer.ok) throw new Error(`the export answered ${answer.status}`);
      const name = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? "export.zip";
      save(await answer.blob(), name);
      setState("idle");
    } catch {
      setState("failed");
    }
  };

  return (
    <>
      <FormSection title={copy.title} text={copy.text}>
        {state === "failed" && (
          <Banner tone="danger" role="alert">
            {copy.failed}
          </Banner>
        )}
        <div>
          <Button icon="download" busy={state === "busy"} onClick={download}>
            {state === "busy" ? copy.preparing : copy.download}
          </Button>
        </div>
      </FormSection>
      <FormSection title={deletion.title} text={deletion.text}>
        <DeleteAccount settings={settings} />
      </FormSection>
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
