import type { HtmlTagDescriptor, Plugin, Rolldown } from "vite";

/** What makes calls: every member's page needs it, of a visitor's first pages one. */
const CALLS = "api/Calls.tsx";

/** The screens that a visit begins with, and what each needs beside the entry's own files. "member" is any member's page. */
const FIRST_SCREENS = [
  { first: "visitor /", modules: ["features/home/HomeScreen.tsx", "features/home/VisitorHome.tsx"] },
  { first: "visitor /login", modules: ["features/accounts/LoginScreen.tsx"] },
  { first: "visitor /register", modules: [CALLS, "features/accounts/RegisterScreen.tsx"] },
  { first: "member", modules: [CALLS] },
  { first: "member /", modules: ["features/home/HomeScreen.tsx", "features/home/MemberHome.tsx"] },
  { first: "member /search/tile", modules: ["features/search/tiles/TileScreen.tsx"] },
  { first: "member /chat/personal", modules: ["features/chat/PersonalChatScreen.tsx"] },
];

/**
 * Asks for a screen's chunks with the document and not only when the entry has run: one round trip less, two at home. The page
 * names them for all first screens, and the worker takes out those of the others by `data-first`.
 */
export function screenPreloadPlugin(): Plugin {
  return {
    name: "lambda:screen-preload",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle, chunk: entry }): HtmlTagDescriptor[] {
        const chunks = Object.values(bundle ?? {}).filter((output) => output.type === "chunk");
        if (!entry) return [];
        const filesOfModules = (modules: readonly string[]) => {
          const found = modules.map((module) => {
            const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/web/src/${module}`));
            if (!chunk) throw new Error(`no chunk of ${module}`);
            return chunk;
          });
          return filesOf(found, chunks);
        };
        const own = filesOf([entry], chunks);
        const everyMembers = filesOfModules([CALLS]);
        return FIRST_SCREENS.flatMap(({ first, modules }) =>
          [...filesOfModules(modules)]
            .filter((file) => !own.has(file) && !(first.startsWith("member /") && everyMembers.has(file)))
            .map((file) => ({
              tag: "link",
              attrs: {
                ...(file.endsWith(".css") ? styleAttrs(first) : { rel: "modulepreload" }),
                ...{ href: `/${file}`, crossorigin: true, "data-first": first },
              },
              injectTo: "head" as const,
            })),
        );
      },
    },
  };
}

/** The visitor's home is in the document, so that its style is wanted at the first paint. */
function styleAttrs(first: string): Record<string, string> {
  return first === "visitor /" ? { rel: "stylesheet" } : { rel: "preload", as: "style" };
}

/** Scripts and stylesheets of chunks and of all that they import. */
function filesOf(chunks: readonly Rolldown.OutputChunk[], all: readonly Rolldown.OutputChunk[]): Set<string> {
  const files = new Set<string>();
  const visit = (chunk: Rolldown.OutputChunk | undefined): void => {
    if (!chunk || files.has(chunk.fileName)) return;
    files.add(chunk.fileName);
    for (const file of chunk.viteMetadata?.importedCss ?? []) files.add(file);
    for (const name of chunk.imports) visit(all.find(({ fileName }) => fileName === name));
  };
  for (const chunk of chunks) visit(chunk);
  return files;
}
