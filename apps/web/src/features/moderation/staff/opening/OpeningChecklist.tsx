import { missingContacts } from "@lambda/brands";
import type { OpeningState, OpeningStep } from "@lambda/contract/opening";
import { Button } from "@lambda/ui/button";
import { Checkbox } from "@lambda/ui/checkbox";
import { IconButton } from "@lambda/ui/icon-button";
import { Link } from "@lambda/ui/link";
import { useState } from "react";
import { trpc } from "../../../../api/trpc.ts";
import { EmailField } from "../../../../components/EmailField.tsx";
import { Form } from "../../../../components/Form.tsx";
import { QueryState } from "../../../../components/QueryState.tsx";
import { useAction } from "../../../../components/use-action.ts";
import { useBrand } from "../../../../format/site.ts";
import { dateAndTime } from "../../../../format/time.ts";
import { useDashboardCopy } from "../copy.ts";
import css from "../dashboard.module.css";
import { useOpeningCopy } from "./copy.ts";

/** Where a step's result shows on the site. */
const PAGES: Partial<Record<OpeningStep, string>> = {
  keys: "/dashboard?section=health",
  contact: "/legalnotice",
  imprint: "/legalnotice",
  terms: "/tos",
  ages: "/age",
  risks: "/safety",
  duty: "/dashboard?section=notices",
  mail: "/dashboard?section=health",
};

const refresh = [trpc.admin.opening.state];

/** What the law asks before this brand opens; nothing once it is open. */
export function OpeningChecklist() {
  const query = trpc.admin.opening.state.useQuery();
  if (!query.data) return query.error && <QueryState query={query} />;
  return query.data.open ? null : <Checklist state={query.data} />;
}

function Checklist({ state }: { state: OpeningState }) {
  const copy = useOpeningCopy();
  const { name, contact } = useBrand();
  const tick = trpc.admin.opening.tick.useMutation(useAction({ refresh }));
  const open = trpc.admin.opening.open.useMutation(useAction({ done: copy.opened(name), refresh }));
  const isReachable = missingContacts(contact).length === 0;
  const left = state.steps.filter(({ tsDone }) => tsDone === null).length;
  return (
    <section className="stack gap-3 items-start measure" aria-labelledby="opening">
      <h2 id="opening">{copy.title(name)}</h2>
      <p>{copy.lead}</p>
      <ol className="stack gap-3 plain-list">
        {state.steps.map((step) => (
          <Step key={step.step} {...step} tick={(done) => tick.mutate({ step: step.step, done })} />
        ))}
      </ol>
      <Team invited={state.invited} />
      <p>{left > 0 ? copy.left(left) : isReachable ? copy.sure : copy.unreachable}</p>
      <Button
        variant="primary"
        disabled={left > 0 || !isReachable}
        busy={open.isPending}
        label={copy.open(name)}
        onClick={() => open.mutate()}
      />
    </section>
  );
}

function Step({ step, tsDone, by, tick }: OpeningState["steps"][number] & { tick: (done: boolean) => void }) {
  const copy = useOpeningCopy();
  const { contacts } = useDashboardCopy();
  const missing = missingContacts(useBrand().contact);
  const { title, text } = copy.steps[step];
  const day = tsDone === null ? "" : dateAndTime(tsDone);
  const page = PAGES[step];
  return (
    <li>
      <Checkbox label={<strong>{title}</strong>} help={text} checked={tsDone !== null} onValue={tick} />
      <p className={`row wrap muted ${css.ticked}`}>
        {page && (
          <Link className="tap-target" href={page} aria-label={`${copy.see}: ${title}`}>
            {copy.see}
          </Link>
        )}
        {tsDone !== null && <span>{by ? copy.by(by, day) : copy.ticked(day)}</span>}
        {step === "contact" && missing.length > 0 && (
          <span>
            {contacts.missing} {missing.map((name) => contacts[name]).join(", ")}.
          </span>
        )}
      </p>
    </li>
  );
}

function Team({ invited }: { invited: readonly string[] }) {
  const copy = useOpeningCopy();
  const [email, setEmail] = useState("");
  const invite = trpc.admin.opening.invite.useMutation(
    useAction({ done: useDashboardCopy().done, onDone: () => setEmail(""), refresh }),
  );
  return (
    <Form
      className="stack gap-3 items-start full-width"
      aria-labelledby="opening-team"
      noValidate
      onSubmit={() => invite.mutate({ email })}
    >
      <h3 id="opening-team">{copy.team}</h3>
      <p>{copy.teamText}</p>
      {invited.length > 0 && (
        <ul className="plain-list">
          {invited.map((mailbox) => (
            <li className="row gap-2 break-anywhere" key={mailbox}>
              {mailbox}
              <IconButton
                icon="close"
                label={copy.remove(mailbox)}
                onClick={() => invite.mutate({ email: mailbox, invited: false })}
              />
            </li>
          ))}
        </ul>
      )}
      <EmailField label={copy.email} autoComplete="off" value={email} onValue={setEmail} />
      <Button type="submit" busy={invite.isPending} disabled={email.trim() === ""} label={copy.invite} />
    </Form>
  );
}
