import { useToast } from "@lambda/ui/toast";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { clearAllLocalData } from "../../../device/clear-local-data.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { goTo } from "../../../routing/navigation.ts";
import { settingsCopy } from "../copy.ts";
import { ConfirmedAction } from "./ConfirmedAction.tsx";

export function DeleteAccount() {
  const { deletion: copy } = useCopy(settingsCopy);
  const [locale] = useLocale();
  const toast = useToast();
  const remove = trpc.deletion.request.useMutation({
    onSuccess: async ({ tsPurge }) => {
      const day = new Date(tsPurge).toLocaleDateString(locale, { dateStyle: "long" });
      const cleared = clearAllLocalData();
      // Leaves first: a request that notices the ended session meanwhile would remember this page for the next login.
      goTo("/login", { replace: true });
      await cleared;
      toast({ text: copy.done(day), ms: 10_000 });
    },
  });
  return (
    <ConfirmedAction
      icon="trash"
      label={copy.action}
      title={copy.confirmTitle}
      confirm={{ label: copy.yes, variant: "danger" }}
      onConfirm={() => remove.mutateAsync({})}
      failureText={(error) => `${copy.failed} ${errorText(error)}`}
    >
      <p>{copy.confirmText}</p>
      <p className="muted">{copy.text}</p>
    </ConfirmedAction>
  );
}
