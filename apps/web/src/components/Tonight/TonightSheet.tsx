import { HOUR_MS } from "@lambda/contract/limits";
import { TONIGHT_WISHES, type TonightPlan, type TonightWish } from "@lambda/contract/tonight";
import { Button } from "@lambda/ui/button";
import { Chip, ChipRow } from "@lambda/ui/chip";
import { Select } from "@lambda/ui/select";
import { Sheet } from "@lambda/ui/sheet";
import { useState } from "react";
import { errorText } from "../../api/error-text.ts";
import { trpc } from "../../api/trpc.ts";
import { serverNow } from "../../device/server-clock.ts";
import { useCopy, useLocale } from "../../format/i18n.ts";
import { clockTime } from "../../format/time.ts";
import { QueryState } from "../QueryState.tsx";
import { tonightCopy } from "./copy.ts";

const HOURS_OFFERED = 11;
const HOURS_DEFAULT = 3;

function offeredEnds(): string[] {
  const next = Math.ceil(serverNow() / HOUR_MS) * HOUR_MS;
  return Array.from({ length: HOURS_OFFERED }, (_, hours) => new Date(next + hours * HOUR_MS).toISOString());
}

interface TonightSheetProps {
  open: boolean;
  plan: TonightPlan | null;
  onClose: () => void;
}

export default function TonightSheet({ open, plan, onClose }: TonightSheetProps) {
  const copy = useCopy(tonightCopy);
  const query = trpc.tonight.mine.useQuery();
  return (
    <Sheet open={open} onClose={onClose} title={copy.title} closeLabel={copy.close}>
      {query.data === undefined && <QueryState compact query={query} />}
      {query.data !== undefined && open && <PlanForm plan={plan} onClose={onClose} />}
    </Sheet>
  );
}

function PlanForm({ plan, onClose }: Omit<TonightSheetProps, "open">) {
  const copy = useCopy(tonightCopy);
  const [locale] = useLocale();
  const [ends] = useState(offeredEnds);
  const [until, setUntil] = useState(ends.find((end) => end === plan?.tsUntil) ?? ends[HOURS_DEFAULT] ?? "");
  const [wishes, setWishes] = useState<readonly TonightWish[]>(plan?.wishes ?? ["drink"]);
  const utils = trpc.useUtils();
  const onSuccess = () => {
    void utils.tonight.invalidate();
    onClose();
  };
  const put = trpc.tonight.put.useMutation({ onSuccess });
  const end = trpc.tonight.end.useMutation({ onSuccess });
  const failure = put.error ?? end.error;
  return (
    <div className="stack gap-4">
      <ChipRow label={copy.what}>
        {TONIGHT_WISHES.map((wish) => (
          <Chip
            key={wish}
            selected={wishes.includes(wish)}
            onToggle={(isChosen) =>
              setWishes((known) => (isChosen ? [...known, wish] : known.filter((other) => other !== wish)))
            }
          >
            {copy.wishes[wish]}
          </Chip>
        ))}
      </ChipRow>
      <Select
        label={copy.until}
        value={until}
        options={ends.map((value) => ({ value, label: clockTime(value, locale) }))}
        onChange={({ target }) => setUntil(target.value)}
      />
      <p>{copy.hint}</p>
      {failure && <p role="alert">{errorText(failure)}</p>}
      <Button
        variant="primary"
        full
        busy={put.isPending}
        disabled={wishes.length === 0}
        onClick={() => put.mutate({ wishes: [...wishes], tsUntil: until })}
      >
        {copy.save}
      </Button>
      {plan && (
        <Button full busy={end.isPending} onClick={() => end.mutate()}>
          {copy.end}
        </Button>
      )}
    </div>
  );
}
