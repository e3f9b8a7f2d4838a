import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { useDeadEndsCopy } from "./copy/dead-ends.ts";

export default function SorryScreen() {
  const copy = useDeadEndsCopy();
  return <EmptyState figure="plug" title={copy.sorry} action={<Button href="/" label={copy.home} />} />;
}
