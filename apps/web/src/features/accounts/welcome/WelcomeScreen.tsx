import { Button } from "@lambda/ui/button";
import { type ReactNode, useEffect, useRef } from "react";
import { trpc } from "../../../api/trpc.ts";
import { allAsOne } from "../../../components/all-as-one.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { readDeviceValue, useDeviceValue } from "../../../device/device-storage.ts";
import { WELCOME_STEP, WELCOME_STEPS } from "../../../device/welcome-step.ts";
import { goTo } from "../../../routing/navigation.ts";
import { useSession } from "../../../session/session.ts";
import { useWelcomeCopy } from "./copy.ts";
import { firstStep } from "./first-step.ts";
import { NameStep } from "./NameStep.tsx";
import { PictureStep } from "./PictureStep.tsx";
import { PlaceStep } from "./PlaceStep.tsx";
import css from "./welcome.module.css";

const SEARCH_PATH = "/search/tile";

/** Three steps after the first login. Each can be skipped, and the device remembers the current one. */
export default function WelcomeScreen() {
  const copy = useWelcomeCopy();
  const { context, profileId } = useSession();
  const session = trpc.accounts.session.useQuery(undefined, { enabled: false });
  const mine = trpc.profiles.mine.useQuery(undefined, { enabled: profileId !== 0 });
  const [stored, store] = useDeviceValue(WELCOME_STEP);
  const profile = mine.data?.items[0];
  const isLoaded = profile && context;
  const step = stored >= 0 && stored < WELCOME_STEPS.length ? stored : isLoaded ? firstStep(profile) : undefined;

  // A member with a finished profile may look in without home asking for the rest afterwards.
  const isFinished =
    stored === WELCOME_STEPS.length || (stored === WELCOME_STEP.fallback && (profile?.profilePicIds.length ?? 0) > 0);
  useEffect(() => {
    if (isLoaded && step !== undefined && step !== stored && !isFinished) store(step);
  }, [isLoaded, step, stored, store, isFinished]);

  if (mine.isLoadingError || !isLoaded || step === undefined)
    return (
      <QueryState query={allAsOne([session, mine])} failed={copy.failed} shape="rows" count={3} label={copy.loading} />
    );
  const end = () => {
    store(WELCOME_STEPS.length);
    goTo(SEARCH_PATH, { replace: true });
  };
  const next = () => {
    // A step whose answer arrives after the member skipped it must not lead back.
    const current = readDeviceValue(WELCOME_STEP);
    if (current !== step && !(isFinished && current === stored)) return;
    if (step + 1 === WELCOME_STEPS.length) end();
    else store(step + 1);
  };
  const kind = WELCOME_STEPS[step] ?? "place";
  // Nobody sees a member without name and birthday; all that follows can wait together.
  const hasMore = kind !== "name";
  return (
    <StepFrame
      key={kind}
      step={step}
      title={copy[kind].title}
      text={copy[kind].text}
      onSkip={next}
      onLater={hasMore ? end : undefined}
    >
      {kind === "name" && <NameStep profile={profile} onDone={next} />}
      {kind === "picture" && <PictureStep onDone={next} />}
      {kind === "place" && <PlaceStep profile={profile} onDone={next} />}
    </StepFrame>
  );
}

interface StepFrameProps {
  step: number;
  title: string;
  text: string;
  onSkip: () => void;
  /** Leaves this step and all that follow for another time. */
  onLater: (() => void) | undefined;
  children: ReactNode;
}

function StepFrame({ step, title, text, onSkip, onLater, children }: StepFrameProps) {
  const copy = useWelcomeCopy();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // A step may already have focused its first field.
    if (!heading.current?.closest("section")?.contains(document.activeElement)) {
      heading.current?.focus({ preventScroll: true });
    }
    scrollTo({ top: 0 });
  }, []);
  return (
    <section className={`column gap-3 grow centered measure ${css.page}`} aria-labelledby="welcome-step">
      <div className="row gap-3">
        <p className={`muted ${css.step}`}>{copy.step(step + 1, WELCOME_STEPS.length)}</p>
        <div className={`flex ${css.dots}`} aria-hidden="true">
          {WELCOME_STEPS.map((name, index) => (
            <span key={name} data-done={index <= step || undefined} />
          ))}
        </div>
        <Button variant="quiet" label={copy.skip} onClick={onSkip} />
      </div>
      <h2 ref={heading} id="welcome-step" tabIndex={-1} className="type-title">
        {title}
      </h2>
      <p className="muted">{text}</p>
      {onLater && (
        <div>
          <Button variant="quiet" icon="clock" label={copy.later} onClick={onLater} />
        </div>
      )}
      {children}
    </section>
  );
}
