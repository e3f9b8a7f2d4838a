import { renderToStaticMarkup } from "react-dom/server";
import { Router } from "wouter";
import { App } from "./app.tsx";
import { SCREENS } from "./routing/screens.ts";

/** The visitor's home as the application draws it first; for the build alone, see build/first-paint.ts. */
export async function drawVisitorHome(): Promise<string> {
  await SCREENS["/"].load();
  return renderToStaticMarkup(
    <Router ssrPath="/">
      <App />
    </Router>,
  );
}
