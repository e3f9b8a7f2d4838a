import { Button } from "@lambda/ui/button";
import { FormSection } from "@lambda/ui/form-section";
import { useCopy } from "../../../format/i18n.ts";
import { settingsCopy } from "../copy.ts";
import { DeleteAccount } from "./DeleteAccount.tsx";
import { DownloadData } from "./DownloadData.tsx";

/** Data export and account deletion. */
export function DataSection() {
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
