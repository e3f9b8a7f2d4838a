import { useFormatDistance } from "../../../format/distance.ts";
import { useMapCopy } from "./copy.ts";
import type { PlaceShown } from "./data/place-name.ts";

/** Says that a place has no streets, and how far the next towns are; empty if it has some. */
export function useNoStreets({ towns }: PlaceShown, isLacking: boolean): string {
  const { noStreets } = useMapCopy();
  const distance = useFormatDistance();
  if (!isLacking) return "";
  return [noStreets, ...towns.map(({ name, meters }) => `${name} ${distance(meters)}`)].join(" · ");
}
