import { digester } from "./hash.ts";

export interface Task {
  readonly challenge: string;
  /** Zeros that each digest has to begin with. */
  readonly bits: number;
  readonly answers: number;
}

/** For each place the smallest number whose digest begins with enough zeros. */
export function solve({ challenge, bits, answers }: Task, onAnswer: (done: number) => void): number[] {
  const below = 2 ** (32 - bits);
  return Array.from({ length: answers }, (_, place) => {
    const digest = digester(`${challenge}:${place}:`);
    let number = 0;
    while (digest(number) >= below) number += 1;
    onAnswer(place + 1);
    return number;
  });
}
