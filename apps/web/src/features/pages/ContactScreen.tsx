import { REAL_NAME_MAX_CHARS, TEXT_MAX_CHARS } from "@lambda/contract/limits";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { TextArea } from "@lambda/ui/text-area";
import { TextField } from "@lambda/ui/text-field";
import { useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { Form } from "../../components/Form.tsx";
import { useContactCopy } from "./copy/contact.ts";
import css from "./pages.module.css";

export default function ContactScreen() {
  const copy = useContactCopy();
  const [name, setName] = useState("");
  const [message, setMessage] = useState("");
  const [tried, setTried] = useState(false);
  const send = trpc.contact.send.useMutation({
    // What was typed while the letter was being sent stays.
    onSuccess: (_, sent) => setMessage((now) => (now === sent.message ? "" : now)),
  });

  const submit = () => {
    setTried(true);
    if (name.trim() !== "" && message.length <= TEXT_MAX_CHARS) send.mutate({ name, message });
  };

  return (
    <Form className={`stack gap-4 full-width measure letter ${css.letter}`} onSubmit={submit} noValidate>
      <h2 className="type-display">{copy.title}</h2>
      <p className="muted">{copy.lead}</p>
      <TextField
        label={copy.name}
        help={copy.nameHelp}
        name="name"
        autoComplete="name"
        required
        maxLength={REAL_NAME_MAX_CHARS}
        value={name}
        error={tried && name.trim() === "" ? copy.nameRequired : undefined}
        onValue={setName}
      />
      <TextArea
        label={copy.message}
        name="message"
        minRows={6}
        max={TEXT_MAX_CHARS}
        value={message}
        onValue={setMessage}
      />
      <div role="status">
        {send.isPending && <Banner>{copy.sending}</Banner>}
        {send.isSuccess && <Banner tone="success">{copy.sent}</Banner>}
        {send.isError && <Banner tone="danger">{copy.failed}</Banner>}
      </div>
      <Button type="submit" variant="primary" icon="send" busy={send.isPending} label={copy.submit} />
    </Form>
  );
}
