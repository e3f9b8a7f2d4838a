import { AppError } from "../../platform/errors.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { isNetworkAdmin } from "../staff/scope.ts";
import { applyDecision, getOpenNotice, requireCanJudge } from "./apply-decision.ts";
import { attachQueries } from "./attach.ts";
import { listAttachable } from "./attachable.ts";
import { findPart } from "./desk.ts";
import { namedEvent } from "./events.ts";

/**
 * Adds a picture that staff identified from the notice's text; one of another brand goes to the notice's part there. Throws NOT_FOUND
 * unless any member of a brand in the admin's scope can see it, so that naming a picture never gives access to it.
 */
export async function namePicture(ctx: MemberContext, id: number, pictureId: number): Promise<void> {
  const { notice, pictures } = await getOpenNotice(ctx, id);
  const [picture] = await listAttachable(ctx.db, notice.brand, { addressed: [pictureId], matching: [] });
  const isElsewhere = picture?.desk !== notice.brand;
  if (!picture || (isElsewhere && !isNetworkAdmin(ctx))) throw new AppError("NOT_FOUND");
  await requireCanJudge(ctx, [picture.profile_id]);
  const part = isElsewhere ? await findPart(ctx, notice.ref, picture.desk) : undefined;
  if (part && part.ts_decided !== null) throw new AppError("CONFLICT");
  const target = part ?? notice;
  const { brand, queries, events } = attachQueries(ctx, target, [picture], {
    hidden: new Set(),
    stays: pictures.length > 0,
  });
  await applyDecision(
    ctx,
    target,
    [ctx.db.updateTable("notice").set({ brand }).where("id", "=", target.id).compile(), ...queries],
    [namedEvent({ ...target, brand: picture.desk }, ctx.viewer.profileId, picture.profile_id, pictureId), ...events],
  );
}
