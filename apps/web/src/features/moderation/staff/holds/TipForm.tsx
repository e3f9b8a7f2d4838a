import { INCIDENT_TYPES } from "@lambda/contract/holds";
import { Button } from "@lambda/ui/button";
import { Checkbox } from "@lambda/ui/checkbox";
import { Select } from "@lambda/ui/select";
import { TextArea } from "@lambda/ui/text-area";
import { TextField } from "@lambda/ui/text-field";
import { useState } from "react";
import { type RouterOutputs, trpc } from "../../../../api/trpc.ts";
import { Form } from "../../../../components/Form.tsx";
import { QueryState } from "../../../../components/QueryState.tsx";
import { useAction } from "../../../../components/use-action.ts";
import { useFailureToast } from "../../../../components/use-failure-toast.ts";
import { saveFile } from "../../../../device/save-file.ts";
import css from "../dashboard.module.css";
import { NumberField } from "../file-parts.tsx";
import { useHoldsCopy } from "./copy.ts";

type Draft = RouterOutputs["admin"]["holds"]["tipDraft"];
type Files = RouterOutputs["admin"]["holds"]["tipFile"];

/** Creates the CyberTipline report as a file, and records the number that NCMEC returned. */
export function TipForm({ reportId }: { reportId: number }) {
  const copy = useHoldsCopy().tip;
  const query = trpc.admin.holds.tipDraft.useQuery({ id: reportId });
  const [files, setFiles] = useState<Files>();
  return (
    <details className={css.record}>
      <summary>{copy.title}</summary>
      <p className="muted">{copy.explain}</p>
      {query.data ? <TipFields draft={query.data} onCreated={setFiles} /> : <QueryState query={query} />}
      {files && (
        <div className="wrap gap-3 align-end">
          <Button
            label={copy.xml}
            onClick={() => saveFile(new Blob([files.xml], { type: "application/xml" }), `${files.name}.xml`)}
          />
          <Button
            label={copy.text}
            onClick={() => saveFile(new Blob([files.text], { type: "text/plain" }), `${files.name}.txt`)}
          />
        </div>
      )}
      <TipNumber reportId={reportId} />
    </details>
  );
}

function TipFields({ draft, onCreated }: { draft: Draft; onCreated: (files: Files) => void }) {
  const copy = useHoldsCopy().tip;
  const create = trpc.admin.holds.tipFile.useMutation({ onSuccess: onCreated, onError: useFailureToast() });
  const [fields, setFields] = useState({
    incidentType: INCIDENT_TYPES[0] as (typeof INCIDENT_TYPES)[number],
    incidentDateTime: draft.incidentDateTime,
    reporterFirstName: "",
    reporterLastName: "",
    reporterEmail: "",
    additionalInfo: "",
    filesViewed: false,
  });
  const set = (changes: Partial<typeof fields>) => setFields((current) => ({ ...current, ...changes }));
  const textField = (
    name: "incidentDateTime" | "reporterFirstName" | "reporterLastName" | "reporterEmail",
    label: string,
  ) => (
    <TextField
      autoComplete="off"
      label={label}
      required
      type={name === "reporterEmail" ? "email" : "text"}
      value={fields[name]}
      onValue={(text) => set({ [name]: text })}
    />
  );
  return (
    <Form className="stack gap-3" onSubmit={() => create.mutate({ id: draft.reportId, ...fields })}>
      <Select
        label={copy.incidentType}
        value={fields.incidentType}
        onValue={(incidentType) => set({ incidentType })}
        options={INCIDENT_TYPES.map((value) => ({ value, label: value }))}
      />
      <div className={css.fields}>
        {textField("incidentDateTime", copy.incidentTime)}
        {textField("reporterFirstName", copy.firstName)}
        {textField("reporterLastName", copy.lastName)}
        {textField("reporterEmail", copy.email)}
      </div>
      <TextArea
        label={copy.info}
        minRows={3}
        value={fields.additionalInfo}
        onValue={(additionalInfo) => set({ additionalInfo })}
      />
      <Checkbox label={copy.viewed} checked={fields.filesViewed} onValue={(filesViewed) => set({ filesViewed })} />
      <p className="muted">
        {copy.known}: {draft.companyName}, {draft.reported.profileUrl}, {draft.reported.email ?? copy.noAddress},{" "}
        {copy.files(draft.files.length)}, {copy.texts(draft.texts.length)}.
      </p>
      <div className="wrap gap-3 align-end">
        <Button type="submit" busy={create.isPending} label={copy.make} />
      </div>
    </Form>
  );
}

function TipNumber({ reportId }: { reportId: number }) {
  const copy = useHoldsCopy().tip;
  const [number, setNumber] = useState("");
  const recordNumber = trpc.admin.holds.tipSent.useMutation(
    useAction({ done: copy.done, refresh: [trpc.admin.holds] }),
  );
  return (
    <Form
      className={`wrap gap-3 align-end ${css.reasonLine}`}
      onSubmit={() => recordNumber.mutate({ id: reportId, tipNumber: number })}
    >
      <NumberField label={copy.number} value={number} onChange={setNumber} />
      <Button type="submit" busy={recordNumber.isPending} disabled={number === ""} label={copy.sent} />
    </Form>
  );
}
