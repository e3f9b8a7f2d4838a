import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { mersenne } from "pure-rand/generator/mersenne";

/** Random numbers that are the same for the same seed, so that a run can be had again. */
export interface Random {
  /** [0, 1) */
  next(): number;
  int(below: number): number;
  gaussian(): number;
}

export function seededRandom(seed: number): Random {
  const generator = mersenne(seed);
  const next = () => uniformFloat64(generator);
  return {
    next,
    int: (below) => Math.floor(next() * below),
    gaussian: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}
