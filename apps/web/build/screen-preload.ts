import type { HtmlTagDescriptor, Plugin, Rolldown } from "vite";

/** The screens that a visit begins with. */
const FIRST_SCREENS = [
  { first: "visitor /", module: "features/home/VisitorHome.tsx" },
  { first: "visitor /login", module: "features/accounts/LoginScreen.tsx" },
  { first: "visitor /register", module: "features/accounts/RegisterScreen.tsx" },
  { first: "member /", module: "features/home/MemberHome.tsx" },
  { first: "member /search/tile", module: "features/search/tiles/TileScreen.tsx" },
  { first: "member /chat/personal", module: "features/chat/PersonalChatScreen.tsx" },
];

/**
 * Asks for a screen's chunks with the document and not only when the entry has run: one round trip less. The page names them for
 * all first screens, and the worker takes out those of the others by `data-first`.
 */
export function screenPreloadPlugin(): Plugin {
  return {
    name: "lambda:screen-preload",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle, chunk: entry }): HtmlTagDescriptor[] {
        const chunks = Object.values(bundle ?? {}).filter((output) => output.type === "chunk");
        if (!entry) return [];
        const own = filesOf(entry, chunks);
        return FIRST_SCREENS.flatMap(({ first, module }) => {
          const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/web/src/${module}`));
          if (!chunk) throw new Error(`no chunk of ${module}`);
          const files = [...filesOf(chunk, chunks)].filter((file) => !own.has(file));
          return files.map((file) => preloadTag(first, file));
        });
      },
    },
  };
}

function preloadTag(first: string, file: string): HtmlTagDescriptor {
  const isStyle = file.endsWith(".css");
  // A visitor's pages are in the document, so that their style is wanted at the first paint.
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

/** Scripts and stylesheets of a chunk and of all that it imports. */
function filesOf(first: Rolldown.OutputChunk, all: readonly Rolldown.OutputChunk[]): Set<string> {
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
