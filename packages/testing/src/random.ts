import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { mersenne } from "pure-rand/generator/mersenne";

/** Random numbers that a seed determines, so that a run can be repeated. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** An integer in [0, below). */
  int(below: number): number;
  /** Normally distributed, with mean 0 and standard deviation 1. */
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
