import { Button } from "@lambda/ui/button";
import { ErrorState } from "@lambda/ui/error-state";
import { Skeleton } from "@lambda/ui/skeleton";
import { type ReactNode, useEffect, useRef } from "react";
import { trpc } from "../../api/trpc.ts";
import { useDevice } from "../../device/device-storage.ts";
import { WELCOME_STEP, WELCOME_STEPS } from "../../device/welcome-step.ts";
import { useCopy } from "../../format/i18n.ts";
import { goTo } from "../../routing/navigation.ts";
import { useSession } from "../../session/session.ts";
import { welcomeCopy } from "./copy.ts";
import { firstStep } from "./first-step.ts";
import { NameStep } from "./NameStep.tsx";
import { PictureStep } from "./PictureStep.tsx";
import { PlaceStep } from "./PlaceStep.tsx";
import { SharingStep } from "./SharingStep.tsx";
import css from "./welcome.module.css";

const NEIGHBOURS = "/search/tile";

/** Four steps after the first login. Each can be skipped, and whoever leaves comes back to the same one. */
export default function WelcomeScreen() {
  const copy = useCopy(welcomeCopy);
  const { context, profileId } = useSession();
  const mine = trpc.profiles.mine.useQuery(undefined, { enabled: profileId !== 0 });
  const [stored, store] = useDevice(WELCOME_STEP);
  const profile = mine.data?.items[0];
  const known = profile && context;
  const step = stored >= 0 && stored < WELCOME_STEPS.length ? stored : known ? firstStep(profile, context) : undefined;

  useEffect(() => {
    if (known && step !== undefined && step !== stored) store(step);
  }, [known, step, stored, store]);

  if (mine.isError) {
    return <ErrorState title={copy.failed} retryLabel={copy.retry} onRetry={() => mine.refetch()} />;
  }
  if (!known || step === undefined) return <Skeleton shape="rows" count={3} label={copy.loading} />;
  const next = () => {
    store(step + 1);
    if (step + 1 === WELCOME_STEPS.length) goTo(NEIGHBOURS, { replace: true });
  };
  const kind = WELCOME_STEPS[step] ?? "sharing";
  return (
    <Frame key={kind} step={step} title={copy[kind].title} text={copy[kind].text} onSkip={next}>
      {kind === "name" && <NameStep profile={profile} onDone={next} />}
      {kind === "picture" && <PictureStep onDone={next} />}
      {kind === "place" && <PlaceStep profile={profile} onDone={next} />}
      {kind === "sharing" && <SharingStep sharedOn={context.sharedOn} onDone={next} />}
    </Frame>
  );
}

interface FrameProps {
  step: number;
  title: string;
  text: string;
  onSkip: () => void;
  children: ReactNode;
}

function Frame({ step, title, text, onSkip, children }: FrameProps) {
  const copy = useCopy(welcomeCopy);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Where a step puts the focus itself, as into its first field, it stays.
    if (!heading.current?.closest("section")?.contains(document.activeElement)) {
      heading.current?.focus({ preventScroll: true });
    }
    scrollTo({ top: 0 });
  }, []);
  return (
    <section className={css.page} aria-labelledby="welcome-step">
      <div className={css.head}>
        <p className={css.step}>{copy.step(step + 1, WELCOME_STEPS.length)}</p>
        <div className={css.dots} aria-hidden="true">
          {WELCOME_STEPS.map((name, at) => (
            <span key={name} data-done={at <= step || undefined} />
          ))}
        </div>
        <Button variant="quiet" onClick={onSkip}>
          {copy.skip}
        </Button>
      </div>
      <h2 ref={heading} id="welcome-step" tabIndex={-1} className={css.title}>
        {title}
      </h2>
      <p className={css.text}>{text}</p>
      {children}
    </section>
  );
}
