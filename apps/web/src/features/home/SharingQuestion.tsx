import { BRANDS } from "@lambda/brands";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Checkbox } from "@lambda/ui/checkbox";
import { useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { useCopy, useLocale } from "../../format/i18n.ts";
import { useBrand } from "../../format/site.ts";
import { memberCopy } from "./member-copy.ts";
import css from "./sharing-question.module.css";

/**
 * Asked once after the first login. Until answered, members are shown on their home brand only. Nothing is preselected.
 */
export function SharingQuestion({ sharedOn }: { sharedOn: number }) {
  const brand = useBrand();
  const { sharing } = useCopy(memberCopy);
  const [locale] = useLocale();
  const [mask, setMask] = useState(sharedOn);
  // Until the member answers, they are shared on their home brand only, so the mask names it.
  const home = BRANDS.find(({ bit }) => bit === sharedOn) ?? brand;
  const utils = trpc.useUtils();
  const save = trpc.settings.setSharing.useMutation({ onSuccess: () => utils.accounts.session.invalidate() });
  return (
    <section className={css.question} aria-labelledby="sharing-question">
      <h3 id="sharing-question">{sharing.title}</h3>
      <p className={css.text}>{sharing.text}</p>
      {BRANDS.filter((sister) => sister.id !== home.id).map((sister) => (
        <Checkbox
          key={sister.id}
          label={sister.name}
          help={sister.tagline[locale]}
          checked={(mask & sister.bit) !== 0}
          onChange={() => setMask(mask ^ sister.bit)}
        />
      ))}
      {save.isError && (
        <Banner tone="danger" role="alert">
          {sharing.failed}
        </Banner>
      )}
      <div className={css.actions}>
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
