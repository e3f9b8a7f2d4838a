import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { useLocale } from "../../format/i18n.ts";
import { usePageTitle } from "../../routing/page-title.ts";
import { NOT_FOUND } from "../../routing/routes.ts";
import { useDeadEndsCopy } from "./copy/dead-ends.ts";

export default function NotFoundScreen() {
  const copy = useDeadEndsCopy();
  // Also replaces pages whose existence is hidden from the viewer, whose title must not appear.
  usePageTitle(NOT_FOUND.title[useLocale()[0]]);
  return (
    <EmptyState
      figure="cactus"
      title={copy.notFound}
      action={<Button href="/" variant="primary" icon="home" label={copy.home} />}
    />
  );
}
