import { ProfileVoice, VoiceAudience } from "@lambda/contract/voices";
import { z } from "zod";
import { memberCommand, memberProcedure, router } from "../../platform/trpc.ts";
import { deleteIntroduction, updateIntroduction } from "./introduction.ts";

export const voicesRouter = router({
  update: memberProcedure("PUT /profile-voice", "Set who can play one's own voice introduction")
    .input(z.object({ audience: VoiceAudience }))
    .output(ProfileVoice)
    .mutation(({ ctx, input }) => updateIntroduction(ctx, input.audience)),

  delete: memberCommand("DELETE /profile-voice", "Delete one's own voice introduction").mutation(({ ctx }) =>
    deleteIntroduction(ctx),
  ),
});
