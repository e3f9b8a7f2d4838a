import { TEXT_MAX_CHARS } from "@lambda/contract/limits";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Icon } from "@lambda/ui/icon";
import { Link } from "@lambda/ui/link";
import { TextArea } from "@lambda/ui/text-area";
import { useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { Form } from "../../components/Form.tsx";
import { useSupportCopy } from "./copy/support.ts";
import css from "./pages.module.css";

export default function SupportScreen() {
  const copy = useSupportCopy();
  return (
    <div className={`stack gap-3 full-width ${css.page}`}>
      <h2 className="type-display">{copy.title}</h2>
      <p className="muted">{copy.lead}</p>
      <div className={`ruled-below ${css.faq}`}>
        {copy.faq.map(([question, answer], index) => (
          <details key={question} className="ruled" open={index === 0}>
            <summary className="fold row gap-4 tall">
              <h3>{question}</h3>
              <Icon name="chevron-down" size={22} />
            </summary>
            <p className={css.answer}>{answer}</p>
          </details>
        ))}
      </div>
      <p className="muted">
        <Link href="/remove-image">{copy.removeImage}</Link>
      </p>
      <p className="muted">
        <Link href="/notice">{copy.notice}</Link>
      </p>
      <ProblemReport />
    </div>
  );
}

function ProblemReport() {
  const copy = useSupportCopy();
  const [message, setMessage] = useState("");
  const [tried, setTried] = useState(false);
  const report = trpc.contact.reportProblem.useMutation({
    onSuccess: (_, sent) => {
      // What was typed while the report was being sent stays.
      setMessage((now) => (now === sent.message ? "" : now));
      setTried(false);
    },
  });
  const submit = () => {
    setTried(true);
    if (message.trim() !== "" && message.length <= TEXT_MAX_CHARS) report.mutate({ message });
  };
  return (
    <Form className={`stack gap-4 full-width measure letter ${css.letter}`} onSubmit={submit} noValidate>
      <h3>{copy.problemTitle}</h3>
      <p className="muted">{copy.problemLead}</p>
      <TextArea
        label={copy.problem}
        name="problem"
        max={TEXT_MAX_CHARS}
        value={message}
        error={tried && message.trim() === "" ? copy.problemRequired : undefined}
        onValue={setMessage}
      />
      <div role="status">
        {report.isPending && <Banner>{copy.sending}</Banner>}
        {report.isSuccess && <Banner tone="success">{copy.sent}</Banner>}
        {report.isError && <Banner tone="danger">{copy.failed}</Banner>}
      </div>
      <Button type="submit" variant="primary" busy={report.isPending} label={copy.submit} />
    </Form>
  );
}
