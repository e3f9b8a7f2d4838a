import { Button } from "@lambda/ui/button";
import { trpc } from "../../../api/trpc.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { ageCopy } from "../../age/copy.ts";

/** Shows when and how the member proved their age and lets them remove the proof; links to the proof of age if one is required. */
export function AgeProof() {
  const copy = useCopy(ageCopy);
  const [locale] = useLocale();
  const { data } = trpc.age.status.useQuery();
  // Reloads, because this page may have cached pictures that must now be pixelated.
  const remove = trpc.age.remove.useMutation({ onSuccess: () => location.reload() });
  if (!data || (!data.proof && data.seeExplicit !== "proof")) return null;
  if (!data.proof) {
    return (
      <div>
        <Button icon="lock" href="/age">
          {copy.prove}
        </Button>
      </div>
    );
  }
  const day = new Date(`${data.proof.day}T12:00:00`).toLocaleDateString(locale, { dateStyle: "long" });
  return (
    <div className="stack gap-3">
      <p>{copy.provedOn(day, copy.provedBy[data.proof.method])}</p>
      <div>
        <Button busy={remove.isPending} onClick={() => remove.mutate()}>
          {copy.remove}
        </Button>
      </div>
    </div>
  );
}
