import type { AlbumStatus } from "@lambda/contract/albums";
import { Button } from "@lambda/ui/button";
import { Icon } from "@lambda/ui/icon";
import { Select } from "@lambda/ui/select";
import { useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { useCoveredPictures } from "../../../components/covered-pictures.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { dayAndTime } from "../../../format/time.ts";
import { usePicturesCopy } from "../copy.ts";
import { AlbumPictures } from "./AlbumPictures.tsx";
import css from "./album-panel.module.css";
import { GRANT_LENGTHS_MS, type GrantLength, useAlbumActions } from "./use-album-actions.ts";

/** Covers an album that the viewer did not ask for until they press the button. */
function CoveredAlbum({ profileId, wasRequested }: { profileId: number; wasRequested: boolean }) {
  const copy = usePicturesCopy().album;
  const { covered, uncover } = useCoveredPictures(`album ${profileId}`, wasRequested);
  if (!covered) return <AlbumPictures profileId={profileId} />;
  return (
    <div className={`stack gap-2 items-center text-center ${css.locked}`}>
      <span className={`center tint circle accent ${css.lock}`}>
        <Icon name="eye-off" size={32} />
      </span>
      <p className="muted">{copy.unasked}</p>
      <Button label={copy.uncover} onClick={uncover} />
    </div>
  );
}

/** Access to private albums in both directions: the viewer's to this member's album, and this member's to the viewer's. */
export function AlbumPanel({ profileId }: { profileId: number }) {
  const { album: copy, loadFailed, noPrivate } = usePicturesCopy();
  const actions = useAlbumActions();
  const query = trpc.albums.status.useQuery({ profileId });
  if (!query.data) return <QueryState query={query} failed={loadFailed} shape="tiles" count={2} />;
  const { data: status } = query;
  const { received, receivedTsExpires, hasPictures } = status;

  return (
    <div className="stack gap-5">
      {received === "granted" ? (
        <>
          <p className="row gap-2 muted">
            <Icon name="unlock" size={20} />
            {receivedTsExpires ? copy.until(dayAndTime(receivedTsExpires)) : copy.open}
          </p>
          <CoveredAlbum profileId={profileId} wasRequested={status.asked} />
        </>
      ) : received === "none" && !hasPictures ? (
        <p className="muted">{noPrivate}</p>
      ) : (
        <div className={`stack gap-2 items-center text-center ${css.locked}`}>
          <span className={`center tint circle accent ${css.lock}`}>
            <Icon name="lock" size={32} />
          </span>
          <p className="type-lead bold">{received === "requested" ? copy.requested : copy.locked}</p>
          <p className="muted">{received === "requested" ? copy.requestedText : copy.lockedText}</p>
          {received === "requested" ? (
            <Button
              variant="quiet"
              busy={actions.busy}
              label={copy.withdraw}
              onClick={() => actions.withdraw(profileId)}
            />
          ) : (
            <Button icon="lock" busy={actions.busy} label={copy.request} onClick={() => actions.request(profileId)} />
          )}
        </div>
      )}
      <GrantAccess status={status} actions={actions} />
    </div>
  );
}

/** Opens the viewer's own private album to this member, or closes it. */
function GrantAccess({ status, actions }: { status: AlbumStatus; actions: ReturnType<typeof useAlbumActions> }) {
  const copy = usePicturesCopy().album;
  const [length, setLength] = useState<GrantLength>("forever");
  const { given, givenTsExpires, profileId } = status;
  const text =
    given === "granted"
      ? givenTsExpires
        ? copy.yoursUntil(dayAndTime(givenTsExpires))
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
        <Button icon="lock" busy={actions.busy} label={copy.revoke} onClick={() => actions.revoke(profileId)} />
      ) : (
        <div className={`stack gap-3 ${css.grant}`}>
          <Select
            label={copy.length}
            value={length}
            onValue={setLength}
            options={(Object.keys(GRANT_LENGTHS_MS) as GrantLength[]).map((value) => ({
              value,
              label: copy.lengths[value],
            }))}
          />
          <div className={`wrap gap-2 ${css.buttons}`}>
            {given === "requested" && (
              <Button
                variant="quiet"
                busy={actions.busy}
                label={copy.decline}
                onClick={() => actions.revoke(profileId)}
              />
            )}
            <Button
              icon="unlock"
              busy={actions.busy}
              label={copy.grant}
              onClick={() => actions.grant(profileId, length)}
            />
          </div>
        </div>
      )}
    </section>
  );
}
