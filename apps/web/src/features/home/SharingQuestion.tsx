import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { SisterBrands, useHomeBrand } from "../../components/SisterBrands.tsx";
import { useCopy } from "../../format/i18n.ts";
import { memberCopy } from "./member-copy.ts";

/** Asked once after the first login. Until answered, members are shown on their home brand only. Nothing is preselected. */
export function SharingQuestion({ sharedOn }: { sharedOn: number }) {
  const { sharing } = useCopy(memberCopy);
  const [mask, setMask] = useState(sharedOn);
  const home = useHomeBrand(sharedOn);
  const utils = trpc.useUtils();
  const save = trpc.settings.setSharing.useMutation({ onSuccess: () => utils.accounts.session.invalidate() });
  return (
    <section className="stack gap-3 pad-4 raised radius-3" aria-labelledby="sharing-question">
      <h3 id="sharing-question">{sharing.title}</h3>
      <p className="measure muted">{sharing.text}</p>
      <SisterBrands home={home} value={mask} onChange={setMask} />
      {save.isError && (
        <Banner tone="danger" role="alert">
          {sharing.failed}
        </Banner>
      )}
      <div className="wrap gap-3">
        <Button
          variant="primary"
          busy={save.isPending}
          disabled={mask === sharedOn}
          onClick={() => save.mutate({ sharedOn: mask })}
        >
          {sharing.yes}
        </Button>
        <Button busy={save.isPending} onClick={() => save.mutate({ sharedOn })}>
          {sharing.only(home.name)}
        </Button>
      </div>
    </section>
  );
}
