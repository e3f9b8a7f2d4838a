import { createPrefixHasher } from "./prefix-hasher.ts";

export interface ProofOfWorkTask {
  readonly challenge: string;
  /** Leading zero bits that each digest must have. */
  readonly bits: number;
  readonly answers: number;
}

/** Finds, for each answer, the smallest number whose digest has enough leading zero bits. */
export function solve({ challenge, bits, answers }: ProofOfWorkTask, onProgress: (solved: number) => void): number[] {
  const limit = 2 ** (32 - bits);
  return Array.from({ length: answers }, (_, index) => {
    const hash = createPrefixHasher(`${challenge}:${index}:`);
    let number = 0;
    while (hash(number) >= limit) number += 1;
    onProgress(index + 1);
    return number;
  });
}
