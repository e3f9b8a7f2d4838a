import type { Message } from "@lambda/contract/messages";
import type { TestMember } from "../member.ts";

let clientIds = 0;

/** Sends a text with a client id of its own. Throws unless it is stored. */
export async function sendText(
  from: TestMember,
  to: TestMember,
  bodyText: string,
  extra: object = {},
): Promise<Message> {
  const clientId = `message-${String(clientIds++).padStart(8, "0")}`;
  const message = { recipientProfileId: to.id, bodyText, clientId, ...extra };
  const response = await from.send("POST", "/api/message", message);
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Message;
}

/** The history as the first member reads it. */
export const readHistory = (member: TestMember, other: TestMember, query = ""): Promise<Message[]> =>
  member.get<Message[]>(`/api/messages/between/${member.id}/${other.id}${query}`);

export const textsOf = (messages: readonly Message[]): string[] => messages.map(({ bodyText }) => bodyText);
