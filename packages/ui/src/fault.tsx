import type { ReactNode } from "react";

/** What went wrong, as a line among what it is about, announced as soon as there is a text. */
export const Fault = ({ text }: { text: ReactNode }) =>
  text ? (
    <p className="danger" role="alert">
      {text}
    </p>
  ) : null;
