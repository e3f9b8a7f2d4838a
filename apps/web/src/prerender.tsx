import { StrictMode } from "react";
import { prerender } from "react-dom/static";
import { Router } from "wouter";
import { queryClient } from "./api/query-client.ts";
import { App } from "./app.tsx";
import { type Site, SiteProvider } from "./format/site.ts";

/** Renders a page as the application first shows it to a visitor. Used only by the build (build/prerender.ts). */
export async function renderPage(path: string, site: Site): Promise<string> {
  const failures: unknown[] = [];
  const { prelude } = await prerender(
    <StrictMode>
      <SiteProvider value={site}>
        <Router ssrPath={path}>
          <App />
        </Router>
      </SiteProvider>
    </StrictMode>,
    {
      // React streams larger parts later and moves them with inline scripts, which the content security policy blocks.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      // React would leave the failed part to the browser and continue.
      onError: (error) => void failures.push(error),
    },
  );
  const html = await new Response(prelude).text();
  // The query cache's timers would keep the build process alive.
  queryClient.clear();
  if (failures.length > 0) throw failures[0];
  return html;
}
