import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { TextField } from "@lambda/ui/text-field";
import { useState } from "react";
import { useSearch } from "wouter";
import { trpc } from "../../../api/trpc.ts";
import { Form } from "../../../components/Form.tsx";
import { QueryState } from "../../../components/QueryState.tsx";
import { TableHead } from "../../../components/TableHead.tsx";
import { currentLocale } from "../../../format/i18n.ts";
import { ActionForm, ActionList } from "./ActionForm.tsx";
import { useDashboardCopy } from "./copy.ts";
import css from "./dashboard.module.css";

/** Finds members by id, email address or name. The selected member's file opens next to the list. */
export function MemberLookup() {
  const copy = useDashboardCopy();
  const initialText = new URLSearchParams(useSearch()).get("find") ?? "";
  const [text, setText] = useState(initialText);
  const [searchText, setSearchText] = useState(initialText);
  const [selectedId, setSelectedId] = useState<number>();
  const query = trpc.admin.members.useQuery({ text: searchText }, { enabled: searchText.trim() !== "" });
  const { data } = query;
  return (
    <div className={css.section}>
      <Form
        className={`wrap gap-3 align-end ${css.searchLine}`}
        onSubmit={() => {
          setSearchText(text);
          setSelectedId(undefined);
        }}
      >
        <TextField autoComplete="off" label={copy.search} icon="search" value={text} onValue={setText} />
        <Button type="submit" variant="primary" label={copy.find} />
      </Form>
      <p className="muted">{copy.viewNote}</p>
      <div className={`stack gap-5 ${css.panes}`}>
        <div className={css.scroll}>
          {query.isLoadingError && <QueryState query={query} />}
          {data && <p role="status">{data.items.length === 0 ? copy.noneFound : copy.found(data.items.length)}</p>}
          {data && data.items.length > 0 && (
            <table className={css.table}>
              <TableHead columns={[copy.id, copy.name, copy.homeBrand, copy.status, copy.joined]} />
              <tbody>
                {data.items.map((member) => (
                  <tr key={member.id} aria-current={member.id === selectedId || undefined}>
                    <th scope="row">
                      <button
                        type="button"
                        className={`accent text-start ${css.link}`}
                        onClick={() => setSelectedId(member.id)}
                      >
                        {member.id}
                      </button>
                    </th>
                    <td>{member.name}</td>
                    <td>{member.homeBrand}</td>
                    <td>
                      {copy.statuses[member.status]}
                      {member.isTest && ` (${copy.test})`}
                    </td>
                    <td>{new Date(member.tsCreated).toLocaleDateString(currentLocale())}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </div>
        <div className={css.pane}>
          {selectedId !== undefined && <MemberFileView key={selectedId} id={selectedId} />}
        </div>
      </div>
    </div>
  );
}

function MemberFileView({ id }: { id: number }) {
  const copy = useDashboardCopy();
  // Each read is written to the audit log, so the file is not refetched on window focus.
  const query = trpc.admin.member.useQuery({ id }, { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 });
  const file = query.data;
  if (!file) return <QueryState query={query} shape="rows" />;
  return (
    <article className="stack gap-3">
      <h2>
        {file.name} ({file.id})
      </h2>
      <p className="muted">
        {[
          file.realName,
          file.email,
          copy.statuses[file.status],
          `${copy.seen} ${new Date(file.tsSeen).toLocaleDateString(currentLocale())}`,
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
      {file.claimsToBeStaff && <Banner tone="warn">{copy.claimsToBeStaff}</Banner>}
      {file.twinIds.length > 0 && <Banner tone="warn">{copy.twins(file.twinIds.join(", "))}</Banner>}
      <ActionList actions={file.actions} />
      {!file.manageable && <p className="muted">{copy.notManageable}</p>}
      <ActionForm subjectProfileId={file.id} canSuspend={file.manageable} />
    </article>
  );
}
