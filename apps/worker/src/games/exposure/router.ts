import { ExposureDraft, ExposurePartner } from "@lambda/contract/exposure";
import { memberCommand, memberList, router } from "../../platform/trpc.ts";
import { listPartners } from "./partners.ts";
import { sendExposureNotices } from "./send.ts";

const PARTNERS_SHOWN = 100;

export const exposureRouter = router({
  partners: memberList("GET /exposure/partners", "Past chat partners", ExposurePartner).query(async ({ ctx }) => {
    const rows = await listPartners(ctx, { limit: PARTNERS_SHOWN });
    return {
      items: rows.map((row) => ({ profileId: row.id, profileName: row.profile_name, pictureId: row.picture_id })),
    };
  }),

  send: memberCommand("POST /exposure", "Send anonymous health notices", { status: 202 })
    .input(ExposureDraft)
    .mutation(({ ctx, input }) => sendExposureNotices(ctx, input)),
});
