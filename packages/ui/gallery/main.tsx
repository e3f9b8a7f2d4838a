import "../src/theme.tsx";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Gallery } from "../src/gallery.tsx";

const root = document.getElementById("root");
if (!root) throw new Error("no #root");
createRoot(root).render(
  <StrictMode>
    <Gallery />
  </StrictMode>,
);
