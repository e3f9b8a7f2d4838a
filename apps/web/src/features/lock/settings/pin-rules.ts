import { isDigits } from "../slots.ts";

export const NEEDED_PIN_CHARS = 4;
const PIN_MAX_CHARS = 64;
const DIGITS_MAX = 12;

export type PinProblem = "tooShort" | "tooLong" | "tooSimple" | "differs" | "otherKind";

/** What is wrong with a new PIN, if anything. `digitsWanted`: the locked page shows the digits alone. */
export function pinProblem(pin: string, repeated: string, digitsWanted = false): PinProblem | undefined {
  const length = [...pin].length;
  if (length < NEEDED_PIN_CHARS) return "tooShort";
  if (length > (isDigits(pin) ? DIGITS_MAX : PIN_MAX_CHARS)) return "tooLong";
  if (isSimple(pin)) return "tooSimple";
  if (pin !== repeated) return "differs";
  return digitsWanted && !isDigits(pin) ? "otherKind" : undefined;
}

/** One character again and again, or digits that count up or down: the first that anybody tries. */
function isSimple(pin: string): boolean {
  const codes = [...pin].map((character) => character.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)));
  const [step] = steps;
  return steps.size === 1 && (step === 0 || (isDigits(pin) && Math.abs(step ?? 0) === 1));
}
