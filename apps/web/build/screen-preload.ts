import type { HtmlTagDescriptor, Plugin, Rolldown } from "vite";

/** The screens a visit is likely to start with. */
const FIRST_SCREENS = [
  { first: "visitor /", module: "features/home/VisitorHome.tsx" },
  { first: "visitor /login", module: "features/accounts/LoginScreen.tsx" },
  { first: "visitor /register", module: "features/accounts/RegisterScreen.tsx" },
  { first: "member /", module: "features/home/MemberHome.tsx" },
  { first: "member /search/tile", module: "features/profiles/search/tiles/TileScreen.tsx" },
  { first: "member /chat/personal", module: "features/messaging/messages/PersonalChatScreen.tsx" },
];

/**
 * Preloads a screen's chunks with the document instead of after the entry chunk has run, which saves a round trip. The page lists
 * the chunks of all first screens; the worker removes those of other screens by `data-first`.
 */
export function screenPreloadPlugin(): Plugin {
  return {
    name: "lambda:screen-preload",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle, chunk: entry }): HtmlTagDescriptor[] {
        const chunks = Object.values(bundle ?? {}).filter((output) => output.type === "chunk");
        if (!entry) return [];
        const entryFiles = collectFiles(entry, chunks);
        return FIRST_SCREENS.flatMap(({ first, module }) => {
          const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/web/src/${module}`));
          if (!chunk) throw new Error(`no chunk for ${module}`);
          const files = [...collectFiles(chunk, chunks)].filter((file) => !entryFiles.has(file));
          return files.map((file) => preloadTag(first, file));
        });
      },
    },
  };
}

function preloadTag(first: string, file: string): HtmlTagDescriptor {
  const isStyle = file.endsWith(".css");
  // A visitor's page is prerendered into the document, so its styles are needed for the first paint.
  const style = first.startsWith("visitor") ? { rel: "stylesheet" } : { rel: "preload", as: "style" };
  return {
    tag: "link",
    attrs: {
      ...(isStyle ? style : { rel: "modulepreload" }),
      href: `/${file}`,
      crossorigin: true,
      "data-first": first,
    },
    injectTo: "head",
  };
}

/** The scripts and stylesheets of a chunk and of everything it imports statically. */
function collectFiles(first: Rolldown.OutputChunk, all: readonly Rolldown.OutputChunk[]): Set<string> {
  const files = new Set<string>();
  const visit = (chunk: Rolldown.OutputChunk | undefined): void => {
    if (!chunk || files.has(chunk.fileName)) return;
    files.add(chunk.fileName);
    for (const file of chunk.viteMetadata?.importedCss ?? []) files.add(file);
    for (const name of chunk.imports) visit(all.find(({ fileName }) => fileName === name));
  };
  visit(first);
  return files;
}
