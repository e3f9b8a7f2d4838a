import type { ArticleSection } from "../Article.tsx";

export interface LegalParty {
  readonly name: string;
  readonly legalName: string;
  readonly operatorAddress: string;
  /** The other brands, as a phrase: "Harbor and Bramble". */
  readonly sisters: string;
}

interface LegalPart {
  readonly title: string;
  readonly lead: string;
  readonly sections: readonly ArticleSection[];
}

/** The legal texts in one language, for one brand. They say what the software does: change both together. */
export type LegalText = (party: LegalParty) => { readonly terms: LegalPart; readonly privacy: LegalPart };
