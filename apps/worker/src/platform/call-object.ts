import type { Env } from "./env.ts";
import { logFault } from "./log.ts";
import type { MemberObjectApi } from "./objects.ts";

/** Calls a Durable Object, twice if need be: one that a deployment has just reset fails one call and serves the next. */
export async function callObject<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch {
    return await call();
  }
}

/** The same for work after a commit: it cannot fail the answer, nor what comes after it. Undefined if the object was not reached. */
export async function callAfterCommit<Result>(call: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await callObject(call);
  } catch (error) {
    logFault({ event: "object-unreached" }, error);
    return undefined;
  }
}

/**
 * Delivers to a member's devices, and returns whether a page shows it. False as well if the member's object was not reached: then the caller
 * notifies, as for a member without a device.
 */
export async function deliverToMember(
  { MEMBER }: Pick<Env, "MEMBER">,
  profileId: number,
  ...delivery: Parameters<MemberObjectApi["deliver"]>
): Promise<boolean> {
  return (await callAfterCommit(() => MEMBER.getByName(String(profileId)).deliver(...delivery))) ?? false;
}
