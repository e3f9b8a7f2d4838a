import { OwnPlaces, PositionReportResponse, ProfilePosition, ProfilePositionReport } from "@lambda/contract/positions";
import { Id } from "@lambda/contract/primitives";
import { z } from "zod";
import { AppError } from "../../platform/errors.ts";
import { mayReachRegionsLateIf, memberProcedure } from "../../platform/trpc.ts";
import { forgetPlaces, getOwnPlaces } from "./places.ts";
import { toProfilePosition } from "./queries.ts";
import { applyPositionReport } from "./report.ts";

/** A device's own movement may reach others late. Hiding, showing, or setting a place by hand has to take effect at once. */
const isDeviceMoving = ({ use, hide }: z.output<typeof ProfilePositionReport>) =>
  use === "DEVICE_GPS" && hide === undefined;

/** What members store and read of their own position. */
export const ownPositionProcedures = {
  report: memberProcedure("PUT /profile-position/{profileId}", "Report one's own position", {
    keepsSafe: true,
  })
    .input(ProfilePositionReport)
    .use(mayReachRegionsLateIf(isDeviceMoving))
    .output(PositionReportResponse)
    .mutation(({ ctx, input }) => {
      if (input.profileId !== ctx.viewer.profileId) throw new AppError("NOT_ALLOWED");
      return applyPositionReport(ctx, input);
    }),

  mine: memberProcedure("GET /profile-position/{profileId}", "One's own position")
    .input(z.object({ profileId: Id }))
    // Null rather than NOT_FOUND when there is no position, because browsers write each 404 to the console.
    .output(ProfilePosition.nullable())
    .query(async ({ ctx, input }) => {
      const { viewer, now } = ctx;
      if (input.profileId !== viewer.profileId) throw new AppError("NOT_ALLOWED");
      if (!viewer.position || viewer.position.ts_effective_until <= now) return null;
      return toProfilePosition(viewer.position, viewer.hides, (await getOwnPlaces(ctx)).lattice);
    }),

  places: memberProcedure("GET /profile-position/{profileId}/places", "The member's own lattice and remembered cells")
    .input(z.object({ profileId: Id }))
    .output(OwnPlaces)
    .query(({ ctx, input }) => {
      if (input.profileId !== ctx.viewer.profileId) throw new AppError("NOT_ALLOWED");
      return getOwnPlaces(ctx);
    }),

  forgetPlaces: memberProcedure("DELETE /profile-position/{profileId}/places", "Forget the member's remembered cells")
    .input(z.object({ profileId: Id }))
    .output(OwnPlaces)
    .mutation(({ ctx, input }) => {
      if (input.profileId !== ctx.viewer.profileId) throw new AppError("NOT_ALLOWED");
      return forgetPlaces(ctx);
    }),
};
