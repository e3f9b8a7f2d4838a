import type { ChatPartner } from "@lambda/contract/messages";
import { BrandMark } from "@lambda/ui/brand-mark";
import { IconButton } from "@lambda/ui/icon-button";
import { Link } from "@lambda/ui/link";
import { type ReactNode, useState } from "react";
import { trpc } from "../../../../api/trpc.ts";
import { MemberMenu } from "../../../../components/MemberActions/MemberMenu.tsx";
import type { Blocking } from "../../../../components/MemberActions/use-block.ts";
import { useEver } from "../../../../components/use-ever.ts";
import { displayName } from "../../../../format/display-name.ts";
import { useFormatDistance } from "../../../../format/distance.ts";
import { useBrand } from "../../../../format/site.ts";
import { timeAgo } from "../../../../format/time.ts";
import { lazyPart } from "../../../../routing/lazy-part.tsx";
import { useHide } from "../../../places/positions/HideSheet.tsx";
import css from "../chat.module.css";
import { useChatCopy } from "../copy.ts";
import { PartnerAvatar } from "../PartnerAvatar.tsx";

const MetSheet = lazyPart(() => import("../../../../components/Met/MetSheet.tsx"));
const MeetSheet = lazyPart(() => import("../../meets/MeetSheet.tsx"));

interface ThreadHeaderProps {
  account: number;
  other: ChatPartner | null;
  name: string;
  typing: boolean;
  /** When the other member's latest message was sent. */
  tsLatest: string | undefined;
  blocking: Blocking;
}

/** The only bar of a conversation on a phone. The mark stays there, because three taps on it leave the site. */
export function ThreadHeader({ account, other, name, typing, tsLatest, blocking }: ThreadHeaderProps) {
  const copy = useChatCopy();
  const brand = useBrand();
  return (
    <header className={`row gap-2 ruled-below tall ${css.head}`}>
      <span className={`flex-none ${css.phoneOnly}`}>
        <IconButton icon="back" label={copy.back} href="/chat/personal" />
      </span>
      <span className={`flex-none ${css.phoneOnly}`}>
        <Link href="/" className={`center ${css.homeMark}`} aria-label={copy.home}>
          <BrandMark path={brand.mark} size={26} />
        </Link>
      </span>
      <ProfileLink other={other}>
        <PartnerAvatar other={other} size={44} />
        <span className="min-0">
          <h2 className={`type-lead truncate ${css.name}`} dir="auto">
            {name}
          </h2>
          {other ? (
            <PartnerState other={other} typing={typing} tsLatest={tsLatest} />
          ) : (
            <span className={`block muted ${css.state}`} />
          )}
        </span>
      </ProfileLink>
      {other && !blocking.blocked && <ThreadMenu account={account} other={other} blocking={blocking} />}
    </header>
  );
}

function ProfileLink({ other, children }: { other: ChatPartner | null; children: ReactNode }) {
  const copy = useChatCopy();
  if (!other) return <div className={`row gap-3 grow min-0 ${css.who}`}>{children}</div>;
  return (
    <Link
      href={`/profile/${other.profileId}`}
      className={`row gap-3 grow min-0 ${css.who}`}
      aria-description={copy.profile}
    >
      {children}
    </Link>
  );
}

/** "1.1 mi · Online" or "1.1 mi · seen 2h ago", or that the other member is typing. */
function PartnerState({
  other,
  typing,
  tsLatest,
}: { other: ChatPartner } & Pick<ThreadHeaderProps, "typing" | "tsLatest">) {
  const copy = useChatCopy();
  const formatDistance = useFormatDistance();
  const { data: relation } = trpc.profiles.relation.useQuery({ id: other.profileId });
  const isOnline = relation?.online ?? other.online;
  // The server's time is that of a rounded visit, and older than a message that has just come.
  const tsSeen = relation && [relation.tsSeen, tsLatest ?? ""].sort()[1]!;
  const seen = isOnline ? copy.online : tsSeen && copy.seen(timeAgo(tsSeen));
  const facts = [formatDistance(relation?.distanceMeters), seen].filter((fact) => fact);
  return (
    <span className={`block muted ${css.state}`} data-live={typing || isOnline || undefined}>
      {/* Where and when would be read out after every message. */}
      <span aria-live="polite">{typing && copy.typing}</span>
      {!typing && facts.join(" · ")}
    </span>
  );
}

function ThreadMenu({ account, other, blocking }: { account: number; other: ChatPartner; blocking: Blocking }) {
  const copy = useChatCopy();
  const hiding = useHide("always");
  const [sheet, setSheet] = useState<"meet" | "met">();
  const hasMeet = useEver(sheet === "meet");
  const hasMet = useEver(sheet === "met");
  const close = () => setSheet(undefined);
  return (
    <>
      <MemberMenu
        target={{ subjectProfileId: other.profileId }}
        blocking={blocking}
        items={[
          { icon: "user", label: copy.profile, href: `/profile/${other.profileId}` },
          { icon: "shield", label: copy.meet, opensSheet: true, onSelect: () => setSheet("meet") },
          { icon: "check", label: copy.met, opensSheet: true, onSelect: () => setSheet("met") },
        ]}
        lastItem={{
          icon: hiding.hidden ? "eye" : "eye-off",
          label: hiding.hidden ? copy.showMe : copy.hideMe,
          opensSheet: !hiding.hidden,
          onSelect: hiding.press,
        }}
      />
      {hiding.sheet}
      {hasMet && <MetSheet open={sheet === "met"} onClose={close} profileId={other.profileId} />}
      {hasMeet && (
        <MeetSheet
          open={sheet === "meet"}
          onClose={close}
          account={account}
          otherName={displayName(other.profileName)}
        />
      )}
    </>
  );
}
