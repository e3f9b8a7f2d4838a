import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { useEffect, useRef } from "react";
import { useNoticesCopy } from "./copy.ts";
import css from "./notices.module.css";
import type { FiledNotice } from "./use-notice-form.ts";

/** Confirms a filed notice with its number and its secret link, which is otherwise only in the email. */
export function FiledReceipt({ filed: { received, email } }: { filed: FiledNotice }) {
  const copy = useNoticesCopy().receipt;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const path = `/notice/${received.ref}#${received.secret}`;
  return (
    <div className={`stack gap-4 full-width measure letter ${css.notice}`}>
      <h2 className="type-display" ref={heading} tabIndex={-1}>
        {copy.filed}
      </h2>
      {email !== "" && <Banner>{copy.mailed(email)}</Banner>}
      <dl className="flex gap-3">
        <dt className="muted">{copy.number}</dt>
        <dd>
          <code>{received.ref}</code>
        </dd>
      </dl>
      <p>{copy.link}</p>
      <p className={`raised radius-2 break-anywhere ${css.secret}`}>
        <code>{`${location.origin}${path}`}</code>
      </p>
      <Button href={path} label={copy.follow} />
    </div>
  );
}
