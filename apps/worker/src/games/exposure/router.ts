import { ExposureDraft, ExposurePartner } from "@lambda/contract/exposure";
import { EmptyObject } from "@lambda/contract/primitives";
import { z } from "zod";
import { memberProcedure, router } from "../../platform/trpc.ts";
import { listPartners } from "./partners.ts";
import { sendExposureNotices } from "./send.ts";

const PARTNERS_SHOWN = 100;

export const exposureRouter = router({
  partners: memberProcedure("GET /exposure/partners", "Past chat partners", { list: true })
    .output(z.object({ items: z.array(ExposurePartner) }))
    .query(async ({ ctx }) => {
      const rows = await listPartners(ctx, { limit: PARTNERS_SHOWN });
      return {
        items: rows.map((row) => ({ profileId: row.id, profileName: row.profile_name, pictureId: row.picture_id })),
      };
    }),

  send: memberProcedure("POST /exposure", "Send anonymous health notices", { status: 202 })
    .input(ExposureDraft)
    .output(EmptyObject)
    .mutation(({ ctx, input }) => sendExposureNotices(ctx, input)),
});
