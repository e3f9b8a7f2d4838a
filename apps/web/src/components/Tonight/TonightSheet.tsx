import { MINUTE_MS } from "@lambda/contract/limits";
import { TONIGHT_WISHES, type TonightPlan, type TonightWish } from "@lambda/contract/tonight";
import { Button } from "@lambda/ui/button";
import { Chip, ChipRow } from "@lambda/ui/chip";
import { Select } from "@lambda/ui/select";
import { useEffect, useState } from "react";
import { errorText } from "../../api/error-text.ts";
import { trpc } from "../../api/trpc.ts";
import { serverNow } from "../../device/server-clock.ts";
import { setIntervalWhileVisible } from "../../device/set-interval-while-visible.ts";
import { useLocale } from "../../format/i18n.ts";
import { ClosableSheet } from "../ClosableSheet.tsx";
import { QueryState } from "../QueryState.tsx";
import { useTonightCopy } from "./copy.ts";
import { dayPart } from "./day-part.ts";
import { chosenEnd, offeredEnds } from "./offered-ends.ts";

interface TonightSheetProps {
  open: boolean;
  plan: TonightPlan | null;
  onClose: () => void;
}

export default function TonightSheet({ open, plan, onClose }: TonightSheetProps) {
  const copy = useTonightCopy();
  const query = trpc.tonight.mine.useQuery();
  return (
    <ClosableSheet open={open} onClose={onClose} title={copy.title[dayPart(serverNow())]}>
      {query.data === undefined && <QueryState compact query={query} />}
      {query.data !== undefined && open && <PlanForm plan={plan} onClose={onClose} />}
    </ClosableSheet>
  );
}

function PlanForm({ plan, onClose }: Omit<TonightSheetProps, "open">) {
  const copy = useTonightCopy();
  const [locale] = useLocale();
  const [now, setNow] = useState(serverNow);
  useEffect(() => setIntervalWhileVisible(MINUTE_MS, () => setNow(serverNow())), []);
  const ends = offeredEnds(now, locale);
  const [chosen, setChosen] = useState(plan?.tsUntil);
  const until = chosenEnd(ends, chosen);
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
            label={copy.wishes[wish]}
            onToggle={(isChosen) =>
              setWishes((known) => (isChosen ? [...known, wish] : known.filter((other) => other !== wish)))
            }
          />
        ))}
      </ChipRow>
      <Select label={copy.until} value={until} options={ends} onValue={setChosen} />
      <p>{copy.hint}</p>
      {failure && <p role="alert">{errorText(failure)}</p>}
      <Button
        variant="primary"
        full
        busy={put.isPending}
        disabled={wishes.length === 0}
        label={copy.save}
        onClick={() => put.mutate({ wishes: [...wishes], tsUntil: until })}
      />
      {plan && <Button full busy={end.isPending} label={copy.end} onClick={() => end.mutate()} />}
    </div>
  );
}
