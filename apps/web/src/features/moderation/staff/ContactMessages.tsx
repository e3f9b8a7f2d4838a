import { Button } from "@lambda/ui/button";
import { Segmented } from "@lambda/ui/segmented";
import { useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { dateAndTime } from "../../../format/time.ts";
import { useDashboardCopy } from "./copy.ts";
import { useQueueKeys } from "./Desk.tsx";
import css from "./dashboard.module.css";

export function ContactMessages() {
  const copy = useDashboardCopy();
  const [view, setView] = useState<"open" | "closed">("open");
  const utils = trpc.useUtils();
  const query = trpc.admin.contact.useQuery({ done: view === "closed" });
  const close = trpc.admin.closeContact.useMutation({ onSuccess: () => utils.admin.contact.invalidate() });
  return (
    <div className={css.section} ref={useQueueKeys()}>
      <Segmented
        label={copy.messages}
        value={view}
        onChange={setView}
        options={[
          { value: "open", label: copy.open },
          { value: "closed", label: copy.closed },
        ]}
      />
      {!query.data && <QueryState query={query} shape="rows" />}
      {query.data?.items.length === 0 && <p className="muted">{copy.empty}</p>}
      <ul className="stack plain-list">
        {query.data?.items.map((entry) => (
          <li className="wrap gap-3 between align-baseline py-2 ruled-below" key={entry.id} data-row>
            <span>
              <strong>{entry.name}</strong>{" "}
              <span className="muted">
                {copy.contactKind[entry.kind]} · {entry.brand} · {dateAndTime(entry.tsCreated)}
              </span>
              <span className="block measure pre-line">{entry.message}</span>
            </span>
            {!entry.tsDone && <Button label={copy.close} onClick={() => close.mutate({ id: entry.id })} />}
          </li>
        ))}
      </ul>
    </div>
  );
}
