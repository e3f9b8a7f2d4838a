import { EXPOSURE_SPANS_DAYS } from "@lambda/contract/exposure-spans";
import { EXPOSURE_RECIPIENTS_MAX } from "@lambda/contract/limits";
import { Banner, Problem } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Checkbox } from "@lambda/ui/checkbox";
import { Icon } from "@lambda/ui/icon";
import { Segmented } from "@lambda/ui/segmented";
import { useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { Form } from "../../../components/Form.tsx";
import { MemberAvatar } from "../../../components/MemberAvatar.tsx";
import { QueryState } from "../../../components/QueryState.tsx";
import { displayName } from "../../../format/display-name.ts";
import { GameIllustration } from "../layout/GameIllustration.tsx";
import { useHealthCopy } from "./copy.ts";
import css from "./health.module.css";

type Span = "0" | "30" | "60" | "90";

/** Sends anonymous health notices to past chat partners. Deliberately sober: it is listed among the games but is none. */
export default function HealthScreen() {
  const copy = useHealthCopy();
  const [sent, setSent] = useState(false);
  return (
    <div className="stack gap-3 centered narrow mt-2">
      <div className={`stack gap-4 ${css.head}`}>
        <GameIllustration game="health" height="6.5rem" />
        <p>{copy.intro}</p>
      </div>
      <ul className={`stack gap-2 plain-list pad-4 raised radius-2 ${css.promise}`}>
        {copy.promise.map((line) => (
          <li key={line}>
            <Icon name="shield" size={20} />
            {line}
          </li>
        ))}
      </ul>
      {sent ? (
        <Banner tone="success" role="status">
          {copy.sent}
        </Banner>
      ) : (
        <NoticeForm onSent={() => setSent(true)} />
      )}
      <section className={`stack gap-3 ruled mt-5 ${css.received}`}>
        <h2>{copy.received}</h2>
        <p>{copy.receivedText}</p>
        <h3>{copy.clinics}</h3>
        <ul>
          {copy.links.map((link) => (
            <li key={link.href}>
              <a href={link.href} target="_blank" rel="noreferrer">
                {link.label}
              </a>
            </li>
          ))}
        </ul>
        <p className="muted">{copy.leaves}</p>
      </section>
    </div>
  );
}

const usePartners = () => trpc.exposure.partners.useQuery(undefined, { gcTime: 0 });

function NoticeForm({ onSent }: { onSent: () => void }) {
  const copy = useHealthCopy();
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [span, setSpan] = useState<Span>("0");
  const partners = usePartners();
  // Who left the list cannot be unchecked, and one of them would have the notice refused for all.
  const listed = partners.data?.items.map(({ profileId }) => profileId).filter((id) => chosen.includes(id)) ?? [];
  const send = trpc.exposure.send.useMutation({ onSuccess: onSent, onError: () => void partners.refetch() });
  const allWithinDays = EXPOSURE_SPANS_DAYS.find((days) => String(days) === span);
  const submit = () => {
    send.mutate(allWithinDays ? { recipientProfileIds: [], allWithinDays } : { recipientProfileIds: listed });
  };
  return (
    <Form className="stack gap-3" onSubmit={submit}>
      <h2>{copy.choose}</h2>
      <Partners query={partners} chosen={listed} onChange={setChosen} hidden={allWithinDays !== undefined} />
      <p>{copy.everyone}</p>
      <Segmented<Span>
        label={copy.everyone}
        value={span}
        onChange={setSpan}
        options={[
          { value: "0", label: copy.nobody },
          ...EXPOSURE_SPANS_DAYS.map((days) => ({ value: String(days) as Span, label: copy.days(days) })),
        ]}
      />
      <p className="muted">{copy.confirm}</p>
      <Problem text={send.isError && errorText(send.error)} />
      <Button
        type="submit"
        variant="primary"
        full
        busy={send.isPending}
        disabled={!allWithinDays && listed.length === 0}
        label={allWithinDays || listed.length === 0 ? copy.sendAll : copy.send(listed.length)}
      />
    </Form>
  );
}

interface PartnersProps {
  query: ReturnType<typeof usePartners>;
  chosen: readonly number[];
  onChange: (chosen: readonly number[]) => void;
  hidden: boolean;
}

function Partners({ query, chosen, onChange, hidden }: PartnersProps) {
  const copy = useHealthCopy();
  const toggle = (id: number, on: boolean) => onChange(on ? [...chosen, id] : chosen.filter((other) => other !== id));
  if (query.data?.items.length === 0) return <p className="muted">{copy.none}</p>;
  if (hidden) return null;
  if (!query.data) return <QueryState query={query} shape="rows" />;
  return (
    <ul className={`stack gap-1 plain-list ${css.partners}`}>
      {query.data.items.map(({ profileId, profileName, pictureId }) => (
        <li key={profileId}>
          <MemberAvatar name={profileName} picture={pictureId} size={44} />
          <Checkbox
            label={displayName(profileName)}
            checked={chosen.includes(profileId)}
            disabled={!chosen.includes(profileId) && chosen.length >= EXPOSURE_RECIPIENTS_MAX}
            onValue={(isChecked) => toggle(profileId, isChecked)}
          />
        </li>
      ))}
    </ul>
  );
}
