import { NOTICE_EXPLANATION_MIN_CHARS } from "@lambda/contract/limits";
import { type FormEvent, useState } from "react";
import { errorBodyOf } from "../../api/error-body.ts";
import { type RouterInputs, type RouterOutputs, trpc } from "../../api/trpc.ts";
import { useCopy, useLocale } from "../../format/i18n.ts";
import { noticesCopy } from "./copy.ts";
import { useWork } from "./work/use-work.ts";

type Draft = RouterInputs["notices"]["file"];

const EMPTY = {
  role: "",
  category: "",
  name: "",
  email: "",
  contact: "",
  location: "",
  explanation: "",
  picture: "",
  goodFaith: false,
};
export type NoticeFields = typeof EMPTY;
export type FieldName = keyof NoticeFields;

export interface FiledNotice {
  readonly received: RouterOutputs["notices"]["file"];
  readonly email: string;
}

/** A notice while it is written: what is missing, the work in the background, and what came back. */
export function useNoticeForm(kind: "intimate" | "illegal") {
  const copy = useCopy(noticesCopy);
  const [locale] = useLocale();
  const [fields, setFields] = useState(EMPTY);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const [filed, setFiled] = useState<FiledNotice>();
  const work = useWork();
  const file = trpc.notices.file.useMutation();
  const missing = missingOf(kind, fields);

  const set = (changed: Partial<NoticeFields>) => {
    work.begin();
    setFields((before) => ({ ...before, ...changed }));
  };
  /** An answer that came too late costs another piece of work, and no word. */
  const send = async (retry: boolean): Promise<FiledNotice> => {
    const draft = { ...toDraft(kind, fields), locale, proof: await work.take() };
    try {
      return { received: await file.mutateAsync(draft), email: fields.email.trim() };
    } catch (error) {
      if (retry && errorBodyOf(error)?.field === "proof") return send(false);
      throw error;
    }
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    setProblem("");
    if (missing.length > 0) {
      const form = event.currentTarget;
      requestAnimationFrame(() =>
        form.querySelector<HTMLElement>("[aria-invalid=true], [aria-describedby$=-error] input")?.focus(),
      );
      return;
    }
    setBusy(true);
    try {
      setFiled(await send(true));
    } catch (error) {
      const body = errorBodyOf(error);
      setProblem(
        body?.code === "TOO_MANY_REQUESTS"
          ? copy.tooMany
          : body?.code === "BAD_INPUT"
            ? copy.wrong(body.message)
            : copy.failed,
      );
    } finally {
      setBusy(false);
    }
  };
  return {
    fields,
    set,
    submit,
    busy,
    problem,
    filed,
    share: work.share,
    /** The words, once somebody tried to send without it. */
    errorOf: (name: FieldName, words: string) => (tried && missing.includes(name) ? words : undefined),
  };
}
export type NoticeForm = ReturnType<typeof useNoticeForm>;

function missingOf(kind: "intimate" | "illegal", fields: NoticeFields): FieldName[] {
  const { name, email } = fields;
  const anonymous = fields.category === "minor" && name.trim() === "" && email.trim() === "";
  const lacks: Partial<Record<FieldName, boolean>> = {
    role: kind === "intimate" && fields.role === "",
    category: kind === "illegal" && fields.category === "",
    location: fields.location.trim() === "" && (kind === "illegal" || fields.picture === ""),
    explanation: kind === "illegal" && fields.explanation.trim().length < NOTICE_EXPLANATION_MIN_CHARS,
    name: !anonymous && name.trim().length < 2,
    email: !anonymous && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim()),
    goodFaith: !fields.goodFaith,
  };
  return (Object.keys(lacks) as FieldName[]).filter((field) => lacks[field]);
}

function toDraft(kind: "intimate" | "illegal", fields: NoticeFields): Omit<Draft, "proof" | "locale"> {
  const { role, category, name, email, contact, location, explanation, picture, goodFaith } = fields;
  return {
    kind,
    name,
    contact,
    location,
    explanation,
    goodFaith,
    ...(email.trim() !== "" && { email }),
    ...(kind === "intimate" && { role: role as "shown" | "authorised" }),
    ...(kind === "illegal" && { category: category as NonNullable<Draft["category"]> }),
    ...(kind === "intimate" && picture !== "" && { picture }),
  };
}
