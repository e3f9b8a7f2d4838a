import { TEXT_FIELDS, textsAt } from "@lambda/contract/profile-texts";

/** All that somebody wrote in a frozen profile or message, for whoever judges it. The name is left to the caller, as jurors do not see it. */
export function evidenceWords(body: Readonly<Record<string, string | number | boolean>>): string {
  const facts = textsAt("fact").map((name) => body[name] && `${TEXT_FIELDS[name].label.en}: ${body[name]}`);
  return [body.text, ...facts, body.characteristics].filter(Boolean).join("\n");
}
