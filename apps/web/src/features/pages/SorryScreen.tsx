import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { useCopy } from "../../format/i18n.ts";
import { deadEndsCopy } from "./copy/dead-ends.ts";

export default function SorryScreen() {
  const copy = useCopy(deadEndsCopy);
  return <EmptyState figure="plug" title={copy.sorry} action={<Button href="/" label={copy.home} />} />;
}
