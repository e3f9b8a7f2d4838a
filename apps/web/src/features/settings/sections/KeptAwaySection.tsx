import { EMAIL_MAX_CHARS, KEPT_AWAY_ADDRESSES_MAX } from "@lambda/contract/limits";
import { FormSection } from "@lambda/ui/form-section";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { type DeviceKey, useDeviceValue } from "../../../device/device-storage.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { RemovableList } from "./RemovableList.tsx";
import { unwantedCopy } from "./unwanted-copy.ts";

/** The addresses the member typed, by server id. The server stores only hashes; this device forgets them with the session. */
const TYPED: DeviceKey<Readonly<Record<string, string>>> = {
  name: "kept_away",
  fallback: {},
  isValid: (value): value is Readonly<Record<string, string>> =>
    typeof value === "object" && value !== null && Object.values(value).every((text) => typeof text === "string"),
};

/** Account page section: email addresses whose owners the member never wants to meet. */
export function KeptAwaySection() {
  const { addresses: copy } = useCopy(unwantedCopy);
  const [locale] = useLocale();
  const [typed, setTyped] = useDeviceValue(TYPED);
  const utils = trpc.useUtils();
  const { data } = trpc.keptAway.list.useQuery();
  const onSettled = () => utils.keptAway.list.invalidate();
  const add = trpc.keptAway.add.useMutation({ onSettled });
  // A member who was kept away may reappear on any screen.
  const remove = trpc.keptAway.remove.useMutation({ onSettled: () => utils.invalidate() });
  const items = data?.items ?? [];
  const day = (ts: string) => new Date(ts).toLocaleDateString(locale, { dateStyle: "long" });
  const failure = add.error ?? remove.error;
  return (
    <FormSection title={copy.title} text={copy.text}>
      <RemovableList
        items={items.map(({ id, tsCreated }) => ({ key: id, text: typed[id] ?? copy.anonymous(day(tsCreated)) }))}
        label={copy.label}
        addLabel={copy.add}
        removeLabel={copy.remove}
        maxLength={EMAIL_MAX_CHARS}
        error={failure ? errorText(failure) : undefined}
        busy={add.isPending}
        full={!data || items.length >= KEPT_AWAY_ADDRESSES_MAX}
        onAdd={(email, done) =>
          add.mutate(
            { email },
            {
              onSuccess: ({ id }) => {
                setTyped({ ...typed, [id]: email });
                done();
              },
            },
          )
        }
        onRemove={(id) => {
          const { [id]: _, ...rest } = typed;
          remove.mutate({ id: Number(id) }, { onSuccess: () => setTyped(rest) });
        }}
      />
    </FormSection>
  );
}
