import { NOTICE_EXPLANATION_MIN_CHARS } from "@lambda/contract/limits";
import { useCallback, useRef, useState } from "react";
import { codeText } from "../../../api/code-text.ts";
import { errorBodyOf } from "../../../api/error-body.ts";
import { type Proof, solveInWorker } from "../../../api/proof-of-work/solve-in-worker.ts";
import { type RouterInputs, type RouterOutputs, trpc } from "../../../api/trpc.ts";
import { useAbortSignal } from "../../../components/use-abort-signal.ts";
import { useLocale } from "../../../format/i18n.ts";
import { useNoticesCopy } from "./copy.ts";

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

/** The state of a notice form: fields, validation, proof of work in the background, and the filed notice. */
export function useNoticeForm(kind: "intimate" | "illegal") {
  const copy = useNoticesCopy();
  const [fields, setFields] = useState(EMPTY);
  const [wasSubmitted, setSubmitted] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [errorMessage, setErrorMessage] = useState("");
  const [filed, setFiled] = useState<FiledNotice>();
  const proofOfWork = useProofOfWork();
  const [isHarder, setHarder] = useState(false);
  const fileNotice = useFileNotice(proofOfWork, () => setHarder(true));
  const missing = missingFields(kind, fields);

  const set = (changes: Partial<NoticeFields>) => {
    proofOfWork.start();
    setFields((current) => ({ ...current, ...changes }));
  };
  /** The message, if the form was submitted without this field. */
  const errorOf = (name: FieldName, message: string) => (wasSubmitted && missing.includes(name) ? message : undefined);
  const submit = async (_typed: FormData, form: HTMLFormElement) => {
    setSubmitted(true);
    setErrorMessage("");
    if (missing.length > 0) {
      focusFirstError(form);
      return;
    }
    setBusy(true);
    try {
      setFiled({ received: await fileNotice(toDraft(kind, fields)), email: fields.email.trim() });
    } catch (error) {
      const body = errorBodyOf(error);
      if (body?.code === "TOO_MANY_REQUESTS") setErrorMessage(copy.tooMany);
      else if (body?.reason === "DISOWNED") setErrorMessage(copy.disowned);
      else setErrorMessage(body?.code === "BAD_INPUT" ? copy.wrong(codeText(error)) : copy.failed);
    } finally {
      setBusy(false);
    }
  };
  return {
    fields,
    set,
    submit,
    isBusy,
    isHarder,
    errorMessage,
    filed,
    progress: proofOfWork.progress,
    errorOf,
    /** What a text field needs; `required` is its error if the form was submitted without it. */
    field: (name: Exclude<FieldName, "goodFaith">, required = "") => ({
      name,
      value: fields[name],
      error: errorOf(name, required),
      onValue: (text: string) => set({ [name]: text }),
    }),
  };
}
export type NoticeForm = ReturnType<typeof useNoticeForm>;

/** An expired proof of work, and four that were too easy, may precede the one that is accepted: a fifth would take hours. */
const ATTEMPTS_MAX = 6;

/** Files a notice. If its proof of work has expired or is too easy by now, another is solved and the notice sent again. */
function useFileNotice(proofOfWork: ReturnType<typeof useProofOfWork>, onHarder: () => void) {
  const [locale] = useLocale();
  const file = trpc.notices.file.useMutation();
  return async (draft: ReturnType<typeof toDraft>) => {
    let harder = 0;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await file.mutateAsync({ ...draft, locale, proof: await proofOfWork.take(harder) });
      } catch (error) {
        const body = errorBodyOf(error);
        if (body?.field !== "proof" || attempt === ATTEMPTS_MAX) throw error;
        if (body.reason === "TOO_EASY") {
          harder += 1;
          onHarder();
        }
      }
    }
  };
}

/** Waits a frame, because the fields are marked as invalid by the next render. */
function focusFirstError(form: HTMLFormElement): void {
  requestAnimationFrame(() =>
    form.querySelector<HTMLElement>("[aria-invalid=true], [aria-describedby$=-error] input")?.focus(),
  );
}

function missingFields(kind: "intimate" | "illegal", fields: NoticeFields): FieldName[] {
  const { name, email } = fields;
  const isAnonymous = fields.category === "minor" && name.trim() === "" && email.trim() === "";
  const isMissing: Partial<Record<FieldName, boolean>> = {
    role: kind === "intimate" && fields.role === "",
    category: kind === "illegal" && fields.category === "",
    location: fields.location.trim() === "" && (kind === "illegal" || fields.picture === ""),
    explanation: kind === "illegal" && fields.explanation.trim().length < NOTICE_EXPLANATION_MIN_CHARS,
    name: !isAnonymous && name.trim().length < 2,
    email: !isAnonymous && !/[@＠]/.test(email),
    goodFaith: !fields.goodFaith,
  };
  return (Object.keys(isMissing) as FieldName[]).filter((field) => isMissing[field]);
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

/** The proof of work that each notice needs against spam. It starts with the first input and is usually done before the form is sent. */
function useProofOfWork() {
  const { mutateAsync: requestChallenge } = trpc.notices.challenge.useMutation();
  const [progress, setProgress] = useState(0);
  const pendingProof = useRef<Promise<Proof>>(undefined);
  const { begin } = useAbortSignal();

  const start = useCallback(
    (harder = 0): Promise<Proof> => {
      pendingProof.current ??= requestChallenge({ harder })
        .then((task) =>
          solveInWorker(task, { signal: begin(), onProgress: (solved) => setProgress(solved / task.answers) }),
        )
        .catch((error: unknown) => {
          pendingProof.current = undefined;
          throw error;
        });
      return pendingProof.current;
    },
    [requestChallenge, begin],
  );

  /** Each proof can be used once. A harder one than usual is not the one that is already under way. */
  const take = useCallback(
    async (harder: number): Promise<Proof> => {
      if (harder > 0) pendingProof.current = undefined;
      const proof = await start(harder);
      pendingProof.current = undefined;
      setProgress(0);
      return proof;
    },
    [start],
  );

  return { start: () => void start().catch(() => undefined), take, progress };
}
