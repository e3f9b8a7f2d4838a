import { PASSWORD_MIN_CHARS } from "@lambda/contract/limits";
import type { SettingsUpdate } from "@lambda/contract/settings";
import { wrongInputText } from "../../api/code-text.ts";
import { errorBodyOf } from "../../api/error-body.ts";
import { errorText } from "../../api/error-text.ts";
import { useCopy } from "../../format/i18n.ts";
import { settingsCopy } from "./copy.ts";

/** Why saving the account form failed, by field. */
interface SaveProblem {
  readonly password?: string;
  readonly email?: string;
  /** A message that belongs to no field. */
  readonly general?: string;
}

export function useSaveProblem(error: unknown, sent: SettingsUpdate | undefined): SaveProblem {
  const { account: copy, saveFailed } = useCopy(settingsCopy);
  if (!error) return {};
  const problem = errorBodyOf(error);
  if (problem?.field === "password") {
    return {
      password: [...(sent?.password ?? "")].length < PASSWORD_MIN_CHARS ? copy.passwordShort : copy.passwordCommon,
    };
  }
  // The dialog that asks for a proof shows this error.
  if (problem?.code === "CONFIRMATION_NEEDED") return {};
  if (problem?.field === "email") return { email: wrongInputText(error) ?? copy.emailRequired };
  return { general: problem?.code === "CONFLICT" ? saveFailed : errorText(error) };
}
