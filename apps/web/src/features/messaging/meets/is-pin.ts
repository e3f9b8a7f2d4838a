import { MEET_PIN_MAX_DIGITS, MEET_PIN_MIN_DIGITS } from "@lambda/contract/limits";

const PIN_PATTERN = new RegExp(`^\\d{${MEET_PIN_MIN_DIGITS},${MEET_PIN_MAX_DIGITS}}$`);

export const isPin = (text: string) => PIN_PATTERN.test(text);
