import type { HtmlTagDescriptor, Plugin, Rolldown } from "vite";

interface FirstScreen {
  readonly first: string;
  readonly module: string;
  /** What the screen imports once it is shown; loaded with low priority, so that it does not delay the screen. */
  readonly later?: string;
}

type Priority = { readonly fetchpriority: "low" };

/** The screens a visit is likely to start with. */
const FIRST_SCREENS: readonly FirstScreen[] = [
  { first: "visitor /", module: "features/home/VisitorHome.tsx" },
  { first: "visitor /login", module: "features/accounts/LoginScreen.tsx" },
  { first: "visitor /register", module: "features/accounts/RegisterScreen.tsx" },
  { first: "member /", module: "features/home/MemberHome.tsx" },
  { first: "member /search/tile", module: "features/profiles/search/tiles/TileScreen.tsx" },
  {
    first: "member /search/map",
    module: "features/places/map/MapScreen.tsx",
    later: "features/places/map/engine/map-engine.ts",
  },
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
        const filesOf = (module: string) => {
          const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/web/src/${module}`));
          if (!chunk) throw new Error(`no chunk for ${module}`);
          return collectFiles(chunk, chunks);
        };
        return FIRST_SCREENS.flatMap(({ first, module, later }) => {
          const listed = collectFiles(entry, chunks);
          const tagsOf = (name: string, priority?: Priority) =>
            [...filesOf(name)]
              .filter((file) => !listed.has(file) && listed.add(file))
              .map((file) => preloadTag(first, file, priority));
          return [...tagsOf(module), ...(later ? tagsOf(later, { fetchpriority: "low" }) : [])];
        });
      },
    },
  };
}

function preloadTag(first: string, file: string, priority?: Priority): HtmlTagDescriptor {
  const isStyle = file.endsWith(".css");
  // A visitor's page is prerendered into the document, so its styles are needed for the first paint.
  const style = first.startsWith("visitor") ? { rel: "stylesheet" } : { rel: "preload", as: "style" };
  return {
    tag: "link",
    attrs: {
      // What comes later is only fetched: compiling it would keep the page from what it shows first.
      ...(isStyle ? style : priority ? { rel: "preload", as: "script" } : { rel: "modulepreload" }),
      href: `/${file}`,
      crossorigin: true,
      "data-first": first,
      ...priority,
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
