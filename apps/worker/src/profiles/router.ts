import { isAdultBirthdate } from "@lambda/contract/birthdate";
import { rolesOf } from "@lambda/contract/capabilities";
import { characteristicsToBits } from "@lambda/contract/characteristics";
import { AGE_MIN_YEARS } from "@lambda/contract/limits";
import { nameSkeleton } from "@lambda/contract/names";
import { pick } from "@lambda/contract/pick";
import { Id } from "@lambda/contract/primitives";
import { PROFILE_TEXTS } from "@lambda/contract/profile-texts";
import { Profile, ProfileRelation, ProfileUpdate } from "@lambda/contract/profiles";
import { z } from "zod";
import { arrangePictures, checkArrangement } from "../pictures/arrange.ts";
import { centerKeyOf } from "../places/positions/report.ts";
import { AppError } from "../platform/errors.ts";
import { countOpened } from "../platform/rate-limits/usage.ts";
import { type MemberContext, memberList, memberProcedure, router } from "../platform/trpc.ts";
import {
  getOwnProfile,
  getVisibleProfile,
  type ProfileEdit,
  toOwnProfile,
  toProfile,
  updateProfile,
} from "./queries.ts";
import { findRelation, toRelation } from "./relation.ts";

function rolesOnBrand(ctx: MemberContext): string[] {
  return rolesOf({ loggedIn: true, adminBrand: ctx.viewer.adminBrand, brand: ctx.brand.id });
}

async function readOwnProfile(ctx: MemberContext): Promise<Profile> {
  return toOwnProfile(await getOwnProfile(ctx.db, ctx.viewer.profileId), rolesOnBrand(ctx), ctx.now);
}

export const profilesRouter = router({
  mine: memberList("GET /profiles/mine", "The viewer's own profiles", Profile).query(async ({ ctx }) => ({
    items: [await readOwnProfile(ctx)],
  })),

  get: memberProcedure("GET /profile/{id}", "A profile")
    .input(z.object({ id: Id }))
    .output(Profile)
    .query(async ({ ctx, input }) => {
      if (input.id === ctx.viewer.profileId) return readOwnProfile(ctx);
      countOpened(ctx, input.id);
      return toProfile(await getVisibleProfile(ctx, input.id), ctx.now);
    }),

  relation: memberProcedure("GET /profile/{id}/relation", "Likes, distance and health between you")
    .input(z.object({ id: Id }))
    .output(ProfileRelation)
    .query(async ({ ctx, input }) => {
      countOpened(ctx, input.id);
      const row = await findRelation(ctx.db, ctx, input.id, ctx.now);
      if (!row) throw new AppError("NOT_FOUND");
      return toRelation(row, centerKeyOf(ctx), ctx.now);
    }),

  update: memberProcedure("PUT /profile", "Edit one's own profile; absent fields keep their values")
    .input(ProfileUpdate)
    .output(Profile)
    .mutation(async ({ ctx, input }) => {
      const { viewer, now } = ctx;
      if (input.id !== undefined && input.id !== viewer.profileId) throw new AppError("NOT_ALLOWED");
      if (input.birthdate && !isAdultBirthdate(input.birthdate, now)) {
        throw new AppError("BAD_INPUT", {
          field: "birthdate",
          message: `birthdate: this site is for men of ${AGE_MIN_YEARS} and over`,
        });
      }
      const movesPictures = input.profilePicIds !== undefined || input.profilePicIdsPrivate !== undefined;
      // Both updates can fail, so the picture order is checked before the profile is written, and applied afterwards.
      if (movesPictures) await checkArrangement(ctx.db, viewer.profileId, input);
      const row = await updateProfile(ctx.db, viewer.profileId, toEdit(input, now));
      if (!row) throw new AppError("CONFLICT");
      if (!movesPictures) return toOwnProfile(row, rolesOnBrand(ctx), now);
      await arrangePictures(ctx, input);
      return readOwnProfile(ctx);
    }),
});

function toEdit(input: ProfileUpdate, now: number): ProfileEdit {
  const { profilename, birthdate, characteristics, was = {} } = input;
  return {
    columns: {
      ts_updated: now,
      profile_name: profilename,
      name_skeleton: profilename === undefined ? undefined : nameSkeleton(profilename),
      birthdate,
      ...pick(input, PROFILE_TEXTS),
      characteristics: characteristics && characteristicsToBits(characteristics),
    },
    addBits: input.characteristicsAdd && characteristicsToBits(input.characteristicsAdd),
    removeBits: input.characteristicsRemove && characteristicsToBits(input.characteristicsRemove),
    was: {
      ...(was.profilename !== undefined && { profile_name: was.profilename }),
      ...pick(was, ["birthdate", ...PROFILE_TEXTS]),
    },
  };
}
