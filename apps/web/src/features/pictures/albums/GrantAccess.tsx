import type { AlbumStatus } from "@lambda/contract/albums";
import { Button } from "@lambda/ui/button";
import { Select } from "@lambda/ui/select";
import { useState } from "react";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { dayAndTime } from "../../../format/time.ts";
import { picturesCopy } from "../copy.ts";
import css from "./album-panel.module.css";
import { GRANT_LENGTHS_MS, type GrantLength, type useAlbumActions } from "./use-album-actions.ts";

/** Opens the viewer's own private album to this member, or closes it. */
export function GrantAccess({ status, actions }: { status: AlbumStatus; actions: ReturnType<typeof useAlbumActions> }) {
  const copy = useCopy(picturesCopy).album;
  const [locale] = useLocale();
  const [length, setLength] = useState<GrantLength>("forever");
  const { given, givenTsExpires, profileId } = status;
  const text =
    given === "granted"
      ? givenTsExpires
        ? copy.yoursUntil(dayAndTime(givenTsExpires, locale))
        : copy.yoursOpen
      : given === "requested"
        ? copy.yoursAsked
        : copy.yoursClosed;
  return (
    <section className={`wrap between align-end ruled ${css.give}`} aria-label={copy.yours}>
      <div className="stack gap-hair">
        <p className="type-lead bold">{copy.yours}</p>
        <p className={given === "requested" ? "accent bold" : "muted"} role="status">
          {text}
        </p>
      </div>
      {given === "granted" ? (
        <Button icon="lock" busy={actions.busy} onClick={() => actions.revoke(profileId)}>
          {copy.revoke}
        </Button>
      ) : (
        <div className={`stack gap-3 ${css.grant}`}>
          <Select
            label={copy.length}
            value={length}
            onChange={(event) => setLength(event.target.value as GrantLength)}
            options={(Object.keys(GRANT_LENGTHS_MS) as GrantLength[]).map((value) => ({
              value,
              label: copy.lengths[value],
            }))}
          />
          <div className={`wrap gap-2 ${css.buttons}`}>
            {given === "requested" && (
              <Button variant="quiet" busy={actions.busy} onClick={() => actions.revoke(profileId)}>
                {copy.decline}
              </Button>
            )}
            <Button icon="unlock" busy={actions.busy} onClick={() => actions.grant(profileId, length)}>
              {copy.grant}
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}
