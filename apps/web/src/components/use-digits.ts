import { digitsIn, wrongDigitOf } from "@lambda/contract/typed";
import { digitsOnlyText } from "@lambda/contract/wrong-character";
import { useState } from "react";
import { useLocale } from "../format/i18n.ts";

/** Reads what is typed into a field for digits: spaces and signs are dropped, any other character is named in `problem`. */
export function useDigits(max?: number) {
  const [locale] = useLocale();
  const [wrong, setWrong] = useState<string>();
  const read = (text: string, partMax = max) => {
    const digits = digitsIn(text, partMax);
    // A code that was copied with the words around it is complete.
    setWrong(digits.length === partMax ? undefined : wrongDigitOf(text));
    return digits;
  };
  return { read, problem: wrong && digitsOnlyText(wrong, locale) };
}
