import { StrictMode } from "react";
import { prerender } from "react-dom/static";
import { Router } from "wouter";
import { queryClient } from "./api/query-client.ts";
import { App } from "./app.tsx";
import { type Site, SiteProvider } from "./format/site.ts";

/** A page as the application draws it first, for a visitor. For the build alone, see build/prerender.ts. */
export async function drawPage(path: string, site: Site): Promise<string> {
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
      // Larger parts would come at the end, put in their place by inline scripts, which the content security policy refuses.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      // React would leave the failed part to the browser and go on.
      onError: (error) => void failures.push(error),
    },
  );
  const html = await new Response(prelude).text();
  // Its timers would keep the build from ending.
  queryClient.clear();
  if (failures.length > 0) throw failures[0];
  return html;
}
