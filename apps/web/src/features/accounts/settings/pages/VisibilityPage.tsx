import { BRANDS } from "@lambda/brands";
import type { Settings } from "@lambda/contract/settings";
import { PRECISIONS, type Precision } from "@lambda/geo/grid";
import { Button } from "@lambda/ui/button";
import { Folds, FormSection } from "@lambda/ui/form-section";
import { RadioGroup } from "@lambda/ui/radio-group";
import { Switch } from "@lambda/ui/switch";
import { useToast } from "@lambda/ui/toast";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { trpc } from "../../../../api/trpc.ts";
import { ClosableSheet } from "../../../../components/ClosableSheet.tsx";
import { Limits } from "../../../../components/Limits.tsx";
import { useFailureToast } from "../../../../components/use-failure-toast.ts";
import { useLocale } from "../../../../format/i18n.ts";
import { useWords } from "../../../../format/words.ts";
import { usePositionCopy } from "../../../places/positions/copy.ts";
import { canDrag } from "../../../places/positions/machine.ts";
import { usePrecisionCopy } from "../../../places/positions/precision-copy.ts";
import { dispatchReporting, forgetRememberedPlaces, useReporting } from "../../../places/positions/reporter.ts";
import { useSettingsCopy } from "../copy.ts";
import { usePagesCopy } from "../pages-copy.ts";
import { useTravelSectionCopy } from "../sections/travel-section-copy.ts";
import { useVisibilityValue } from "../use-row-values.ts";
import type { AccountPageProps } from "./pages.ts";

export default function VisibilityPage({ settings, open }: AccountPageProps) {
  const copy = useTravelSectionCopy();
  return (
    <Folds open={open}>
      <VisibilitySection settings={settings} />
      <PositionSection />
      <PlacesSection />
      <SharingSection settings={settings} />
      <FormSection id="travel" title={copy.title} text={copy.text}>
        <div className="row wrap gap-3">
          <Button href="/travel" label={copy.trips} />
          <Button href="/travel/here" label={copy.here} />
        </div>
      </FormSection>
    </Folds>
  );
}

function PlacesSection() {
  const { position: copy } = useSettingsCopy();
  const { none } = usePagesCopy();
  const toast = useToast();
  const forget = useMutation({
    mutationFn: forgetRememberedPlaces,
    onSuccess: () => toast({ text: copy.forgotten, tone: "info" }),
    onError: useFailureToast(),
  });
  const { places, anchors } = useReporting();
  if (!places) return null;
  return (
    <FormSection
      id="places"
      title={copy.places}
      text={copy.placesText(places.remembered.length)}
      value={places.remembered.length || none}
    >
      <Button
        busy={forget.isPending}
        disabled={places.remembered.length + anchors.length === 0}
        label={copy.forgetPlaces}
        onClick={() => forget.mutate()}
      />
    </FormSection>
  );
}

/** Reads again who sees the member, also after a failure: a call without an answer may have been carried out. */
function useRefresh() {
  const utils = trpc.useUtils();
  return () => {
    void utils.settings.get.invalidate();
    void utils.accounts.session.invalidate();
  };
}

/** On which sister brands the member is visible. Shows the state that the server returns, without optimistic updates. */
function SharingSection({ settings }: { settings: Settings }) {
  const { sharing: copy } = useSettingsCopy();
  const [locale] = useLocale();
  const utils = trpc.useUtils();
  const showFailure = useFailureToast();
  const save = trpc.settings.setSharing.useMutation({
    onSuccess: ({ sharedOn }) => {
      utils.settings.get.setData(undefined, (known) => known && { ...known, sharedOn });
    },
    onError: showFailure,
    onSettled: useRefresh(),
  });
  /** Another device may have ended the sharing on other brands since this page was opened. */
  const set = async (bit: number, shows: boolean) => {
    const fresh = await utils.settings.get.fetch(undefined, { staleTime: 0 }).catch(showFailure);
    if (fresh) save.mutate({ sharedOn: shows ? fresh.sharedOn | bit : fresh.sharedOn & ~bit });
  };
  const home = BRANDS.find((brand) => brand.id === settings.homeBrand);
  const shown = BRANDS.filter((brand) => (settings.sharedOn & brand.bit) !== 0);
  return (
    <FormSection
      id="sharing"
      title={copy.title}
      text={copy.text(home?.name ?? "")}
      value={shown.map(({ name }) => name).join(", ")}
    >
      {BRANDS.map((brand) => (
        <Switch
          key={brand.id}
          label={brand.name}
          help={brand.id === settings.homeBrand ? copy.home : brand.tagline[locale]}
          checked={(settings.sharedOn & brand.bit) !== 0}
          disabled={brand.id === settings.homeBrand || save.isPending}
          onChange={(shows) => void set(brand.bit, shows)}
        />
      ))}
    </FormSection>
  );
}

/** Who sees the member: everybody, only those they chose, or nobody. Shows the state that the server returns. */
function VisibilitySection({ settings }: { settings: Settings }) {
  const { visibility: copy } = useSettingsCopy();
  const utils = trpc.useUtils();
  const { hidden, pendingHide, isReady } = useReporting();
  const { notHiddenYet } = usePositionCopy();
  const value = useVisibilityValue(settings);
  const save = trpc.settings.setDiscreet.useMutation({
    onSuccess: ({ discreet }) => {
      utils.settings.get.setData(undefined, (known) => known && { ...known, discreet });
    },
    onError: useFailureToast(),
    onSettled: useRefresh(),
  });
  return (
    <FormSection id="visibility" title={copy.title} text={copy.text} value={value}>
      <Switch
        label={copy.hide}
        help={pendingHide && !hidden ? notHiddenYet : copy.hideHelp}
        checked={pendingHide ?? hidden}
        disabled={!isReady}
        onChange={(hide) => dispatchReporting({ type: "hide", hide })}
      />
      <Switch
        label={copy.discreet}
        help={copy.discreetHelp}
        checked={settings.discreet}
        disabled={save.isPending}
        onChange={(discreet) => save.mutate({ discreet })}
      />
      <Limits>
        <p>{copy.acts}</p>
      </Limits>
    </FormSection>
  );
}

/** Lists "exact" last, because it is the exception. */
const PRECISION_ORDER: readonly Precision[] = [...PRECISIONS.filter((precision) => precision !== "exact"), "exact"];

function PositionSection() {
  const { position: copy } = useSettingsCopy();
  const { cancel } = useWords();
  const { options } = usePrecisionCopy();
  const [isConfirming, setConfirming] = useState(false);
  const state = useReporting();
  const walking = canDrag(state);
  const choose = (precision: Precision) => {
    if (precision === "exact") setConfirming(true);
    else dispatchReporting({ type: "precision", precision });
  };
  return (
    <FormSection id="position" title={copy.title} text={copy.text} value={options[state.precision].label}>
      <RadioGroup
        label={copy.label}
        options={PRECISION_ORDER.map((value) => {
          const { label, help } = options[value];
          const disabled = value === "exact" && !walking;
          return { value, label, help: disabled ? copy.exactWalk : help, disabled };
        })}
        value={state.precision}
        onChange={choose}
      />
      <ClosableSheet
        open={isConfirming}
        onClose={() => setConfirming(false)}
        title={copy.confirmTitle}
        footer={
          <div className="row wrap gap-3">
            <Button variant="primary" label={cancel} onClick={() => setConfirming(false)} />
            <Button
              variant="danger"
              label={copy.confirmYes}
              onClick={() => {
                dispatchReporting({ type: "precision", precision: "exact" });
                setConfirming(false);
              }}
            />
          </div>
        }
      >
        <p>{copy.confirmText}</p>
      </ClosableSheet>
    </FormSection>
  );
}
