import { MemberMenu, type MemberMenuProps } from "../../../components/MemberActions/MemberMenu.tsx";
import { useStar } from "../notes/use-star.ts";

/** What can be done with a member on their profile: the viewer's private star first. */
export function ProfileMenu({ target, blocking }: Pick<MemberMenuProps, "target" | "blocking">) {
  const star = useStar(target.subjectProfileId);
  return <MemberMenu tone="picture" target={target} blocking={blocking} items={[star]} />;
}
