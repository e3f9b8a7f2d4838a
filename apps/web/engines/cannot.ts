/** What an engine cannot do where these tests run, so that no walk asks for it. Tests show each row, so that it goes when the engine learns; docs/PHONES.md has what a person tries. */
import type { EngineName } from "./driver.ts";

/** Run in the page: whether its engine has what the ability needs. */
export const PROBES = {
  push: () => "PushManager" in window && "pushManager" in ServiceWorkerRegistration.prototype,
  passkeys: () => "PublicKeyCredential" in window,
} as const;

/** The test of chats shows for "record sound" that the recording is refused. */
export type Ability = keyof typeof PROBES | "record sound";

/** The reason, by engine and ability. */
const CANNOT: Readonly<Record<EngineName, Partial<Record<Ability, string>>>> = {
  chromium: {},
  firefox: {},
  webkit: {
    push: "WebKitGTK has no push service: only Apple's ports have one",
    passkeys: "WebKitGTK is built without WebAuthn, whose keys Safari takes from the system",
    "record sound":
      "GStreamer's muxer writes the MP4 file's index twice where it should replace it, which no player decodes; Safari uses Apple's",
  },
};

export const can = (engine: EngineName, ability: Ability): boolean => CANNOT[engine][ability] === undefined;
