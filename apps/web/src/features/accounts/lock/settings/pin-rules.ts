import { isDigitsOnly, plainPin } from "../slots.ts";

export const PIN_MIN_CHARS = 4;
const PIN_MAX_CHARS = 64;
const DIGITS_MAX = 12;

export type PinProblem = "tooShort" | "tooLong" | "tooSimple" | "differs" | "otherKind";

/** Validates a new PIN. `requiresDigits` is set if the locked page shows only a numeric keyboard. */
export function pinProblem(pin: string, repeated: string, requiresDigits = false): PinProblem | undefined {
  const plain = plainPin(pin);
  const length = [...plain].length;
  if (length < PIN_MIN_CHARS) return "tooShort";
  if (length > (isDigitsOnly(pin) ? DIGITS_MAX : PIN_MAX_CHARS)) return "tooLong";
  if (isSimple(plain)) return "tooSimple";
  if (pin !== repeated) return "differs";
  return requiresDigits && !isDigitsOnly(pin) ? "otherKind" : undefined;
}

/** One repeated character, or digits that count up or down. */
function isSimple(pin: string): boolean {
  const codes = [...pin].map((character) => character.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)));
  const [step] = steps;
  return steps.size === 1 && (step === 0 || (isDigitsOnly(pin) && Math.abs(step ?? 0) === 1));
}
