/** The pieces of which the files of cases and notices, and the forms that decide about them, are made. */
import { STAFF_REASON_MIN_CHARS } from "@lambda/contract/limits";
import { RULE_IDS, type Rule } from "@lambda/contract/moderation";
import { ruleCopy } from "@lambda/contract/rule-copy";
import { Button, type ButtonProps } from "@lambda/ui/button";
import { Link } from "@lambda/ui/link";
import { Select } from "@lambda/ui/select";
import { TextArea } from "@lambda/ui/text-area";
import { TextField } from "@lambda/ui/text-field";
import { type ReactNode, useState } from "react";
import { useDigits } from "../../../components/use-digits.ts";
import { useCopy } from "../../../format/i18n.ts";
import { useDashboardCopy } from "./copy.ts";
import css from "./dashboard.module.css";

/** Entries under their heading; nothing without any. */
export function Part<Item>({
  title,
  items,
  children,
}: {
  title: string;
  items: readonly Item[];
  children: (item: Item) => ReactNode;
}) {
  if (items.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      {items.map(children)}
    </>
  );
}

export function Statement({ text, note, other }: { text: string; note?: ReactNode; other?: boolean }) {
  return (
    <blockquote className={`stack gap-1 items-start quoted pre-line ${css.statement}`} data-other={other || undefined}>
      {text}
      {note && <small className="block">{note}</small>}
    </blockquote>
  );
}

/** A picture or recording that loads once staff ask for it, because each look is logged. */
export function OnDemand({ label, children }: { label: string; children: ReactNode }) {
  const [isShown, setShown] = useState(false);
  return isShown ? children : <Button label={label} onClick={() => setShown(true)} />;
}

export function MemberLink({ id }: { id: number }) {
  return <Link href={`/dashboard?section=members&find=${id}`}>{id}</Link>;
}

interface FieldProps<Value> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
}

export function NumberField({ onChange, ...props }: FieldProps<string>) {
  const { read, problem } = useDigits();
  return (
    <TextField
      autoComplete="off"
      {...props}
      inputMode="numeric"
      error={problem}
      onValue={(text) => onChange(read(text))}
    />
  );
}

export function ReasonField({ onChange, ...props }: FieldProps<string>) {
  return <TextArea {...props} minRows={2} onValue={onChange} />;
}

export const isReason = (text: string) => text.trim().length >= STAFF_REASON_MIN_CHARS;

export function RuleSelect({ value: chosen, onChange }: Omit<FieldProps<Rule>, "label">) {
  const copy = useDashboardCopy();
  const rules = useCopy(ruleCopy);
  return (
    <Select
      label={copy.rule}
      value={chosen}
      onValue={onChange}
      options={RULE_IDS.map((value) => ({ value, label: rules[value] }))}
    />
  );
}

interface DecideProps<Input> extends Pick<ButtonProps, "variant" | "disabled" | "label"> {
  mutation: { readonly isPending: boolean; readonly mutate: (input: Input) => void };
  input: Input;
}

export function Decide<Input>({ mutation, input, ...button }: DecideProps<Input>) {
  return <Button {...button} busy={mutation.isPending} onClick={() => mutation.mutate(input)} />;
}
