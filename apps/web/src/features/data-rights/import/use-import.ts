import { isolate } from "@lambda/contract/isolate";
import { canonicalAddress } from "@lambda/contract/typed";
import { useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { uploadErrorText, uploadPicture } from "../../../components/PictureUpload/upload.ts";
import { UnreadablePicture } from "../../../components/PictureUpload/upload-error.ts";
import { useAbortSignal } from "../../../components/use-abort-signal.ts";
import { sendIntroduction } from "../../../components/Voice/send-introduction.ts";
import { FLAT_WAVEFORM } from "../../../components/Voice/Waveform.tsx";
import { useLocale } from "../../../format/i18n.ts";
import { localToday } from "../../../format/local-today.ts";
import { ArchiveProblem } from "./archive-problem.ts";
import { findNewPictures } from "./compare-pictures.ts";
import { type Plan, type Present, planImport } from "./plan.ts";
import { type ExportedPicture, type MemberExport, readExport } from "./read-export.ts";

/** The parts that a member can choose. The settings are sent first: others must not see in between what a discreet member brings. */
export const PARTS = ["settings", "profile", "pictures", "voice", "health", "phrases", "words", "trips"] as const;
export type PartName = (typeof PARTS)[number];

export interface Preview {
  readonly exported: MemberExport;
  readonly plan: Plan;
  readonly newPictures: readonly ExportedPicture[];
  /** Undefined if there is one here. */
  readonly newVoice: MemberExport["voice"];
  /** Whether the export names this account's address. */
  readonly isOwnAddress: boolean;
}

export interface Failure {
  readonly part: PartName;
  /** The file in the archive, or the name of the trip. */
  readonly entry?: string;
  readonly reason: string;
}

type State =
  | { readonly at: "choosing"; readonly problem?: ArchiveProblem | "offline" }
  | { readonly at: "reading" }
  | { readonly at: "preview"; readonly preview: Preview }
  | { readonly at: "importing"; readonly done: number; readonly total: number }
  | { readonly at: "done"; readonly preview: Preview; readonly failures: readonly Failure[] };

/** Opens an export on the device and sends the chosen parts by the calls that a member's own changes take. */
export function useImport(profileId: number) {
  const [state, setState] = useState<State>({ at: "choosing" });
  const [locale] = useLocale();
  const { begin } = useAbortSignal();
  const send = useSenders();
  const addTrip = trpc.travel.addTrip.useMutation().mutateAsync;
  const utils = trpc.useUtils();

  const readPresent = async () => {
    const fresh = { staleTime: 0 };
    const [profiles, health, chat, { off }, settings, pictures, trips] = await Promise.all([
      utils.profiles.mine.fetch(undefined, fresh),
      utils.health.mine.fetch(undefined, fresh),
      utils.messages.preferences.fetch(undefined, fresh),
      utils.notifications.preferences.fetch(undefined, fresh),
      utils.settings.get.fetch(undefined, fresh),
      utils.pictures.mine.fetch(undefined, fresh),
      utils.travel.trips.fetch(undefined, fresh),
    ]);
    const [profile] = profiles.items;
    if (!profile) throw new Error("no profile");
    const { discreet, email } = settings;
    const present: Present = {
      ...{ profile, health, chat, notificationsOff: off, discreet },
      trips: trips.items,
      today: localToday(),
    };
    return { present, email, pictures: pictures.items };
  };

  const compare = async (exported: MemberExport, signal: AbortSignal): Promise<Preview> => {
    const { present, email, pictures } = await readPresent();
    const albums = pictures.filter(({ audience }) => audience === "public" || audience === "private");
    const newPictures = await findNewPictures(exported.pictures, albums, signal);
    const isOwnAddress = canonicalAddress(exported.data.account[0].email) === canonicalAddress(email);
    const newVoice = present.profile.voice ? undefined : exported.voice;
    return { exported, plan: planImport(exported.data, present), newPictures, newVoice, isOwnAddress };
  };

  const open = async (file: File) => {
    const signal = begin();
    setState({ at: "reading" });
    try {
      const preview = await compare(await readExport(file), signal);
      if (!signal.aborted) setState({ at: "preview", preview });
    } catch (error) {
      if (!signal.aborted) setState({ at: "choosing", problem: error instanceof ArchiveProblem ? error : "offline" });
    }
  };

  const start = async (preview: Preview, chosen: ReadonlySet<PartName>) => {
    const { exported, plan, newPictures, newVoice } = preview;
    const signal = begin();
    const failures: Failure[] = [];
    const pictures = chosen.has("pictures") ? newPictures : [];
    const trips = chosen.has("trips") ? plan.trips.added : [];
    const voice = chosen.has("voice") ? newVoice : undefined;
    const parts = PARTS.filter(isWhole).filter((part) => chosen.has(part));
    const total = parts.length + pictures.length + trips.length + (voice ? 1 : 0);
    let done = 0;
    const step = async (failure: Omit<Failure, "reason">, work: () => Promise<unknown>) => {
      if (signal.aborted || failures.some(({ part }) => part === "settings")) return;
      setState({ at: "importing", done, total });
      await work().catch((error: unknown) => {
        const isUpload = failure.part === "pictures" || failure.part === "voice";
        const reason = isUpload ? uploadErrorText(error, locale) : errorText(error);
        failures.push({ ...failure, reason });
      });
      done += 1;
    };
    for (const part of parts) await step({ part }, () => send[part](plan));
    for (const { name, audience, nsfw, harmless, read } of pictures) {
      const upload = async () =>
        uploadPicture({ file: await opened(read), name, profileId, audience, nsfw, harmless, signal });
      await step({ part: "pictures", entry: name }, upload);
    }
    if (voice)
      await step({ part: "voice", entry: voice.name }, async () => {
        const type = voice.name.endsWith("m4a") ? "audio/mp4" : "audio/webm";
        const blob = new Blob([await opened(voice.read)], { type });
        await sendIntroduction({ ...voice, blob, peaks: FLAT_WAVEFORM }, voice.audience, signal);
      });
    for (const trip of trips)
      await step({ part: "trips", entry: `${isolate(trip.name)}, ${trip.from}` }, () => addTrip(trip));
    await utils.invalidate();
    if (signal.aborted) return;
    try {
      setState({ at: "done", preview: await compare(exported, signal), failures });
    } catch (error) {
      if (signal.aborted) return;
      const isClosed = error instanceof ArchiveProblem;
      setState(isClosed ? { at: "done", preview, failures } : { at: "choosing", problem: "offline" });
    }
  };

  return { state, open, start, restart: () => setState({ at: "choosing" }) };
}

/** The archive may have been moved or taken away since it was chosen. */
const opened = (read: () => Promise<Blob>) =>
  read().catch(() => {
    throw new UnreadablePicture("CLOSED");
  });

/** Parts that one call sends; of the others each thing takes a call. */
type WholePart = Exclude<PartName, "pictures" | "voice" | "trips">;
const isWhole = (part: PartName): part is WholePart => part !== "pictures" && part !== "voice" && part !== "trips";

/** What sends each whole part. Each rejects with the server's error. */
function useSenders(): Record<WholePart, (plan: Plan) => Promise<unknown>> {
  const profile = trpc.profiles.update.useMutation().mutateAsync;
  const health = trpc.health.update.useMutation().mutateAsync;
  const chat = trpc.messages.updatePreferences.useMutation().mutateAsync;
  const notifications = trpc.notifications.updatePreferences.useMutation().mutateAsync;
  const discretion = trpc.settings.setDiscreet.useMutation().mutateAsync;
  return {
    profile: ({ profile: { change } }) => profile(change),
    health: ({ health: { change } }) => health(change),
    phrases: ({ phrases }) => chat({ phrases: phrases.list }),
    words: ({ words }) => chat({ unwantedWords: words.list }),
    settings: async ({ settings: { fills, change, notificationsOff } }) => {
      // First what protects most.
      if (fills.includes("discreet")) await discretion({ discreet: true });
      if (notificationsOff) await notifications({ off: notificationsOff });
      if (Object.keys(change).length > 0) await chat(change);
    },
  };
}
