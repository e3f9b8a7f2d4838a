import type { ArticleSection } from "../Article.tsx";

export interface LegalParty {
  readonly name: string;
  readonly legalName: string;
  readonly operatorAddress: string;
  /** The names of the other brands as a list in prose: "Harbor and Bramble". */
  readonly sisters: string;
}

interface LegalPart {
  readonly title: string;
  readonly lead: string;
  readonly sections: readonly ArticleSection[];
}

/** The legal texts of one brand in one language. They describe what the software does, so change both together. */
export type LegalText = (party: LegalParty) => { readonly terms: LegalPart; readonly privacy: LegalPart };
