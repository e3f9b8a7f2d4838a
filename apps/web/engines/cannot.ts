/** What an engine cannot do where these tests run, so that no walk asks for it. */
import type { EngineName } from "./driver.ts";

export type Ability = "record sound";

/** The reason, by engine and ability. */
const CANNOT: Readonly<Record<EngineName, Partial<Record<Ability, string>>>> = {
  chromium: {},
  firefox: {},
  webkit: {
    "record sound":
      "GStreamer's muxer writes the MP4 file's index twice where it should replace it, which no player decodes; Safari uses Apple's",
  },
};

export const can = (engine: EngineName, ability: Ability): boolean => CANNOT[engine][ability] === undefined;
