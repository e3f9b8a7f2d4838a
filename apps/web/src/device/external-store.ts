/** React's own hook in the place of the shim that the router brings for versions before 18. */
export { useSyncExternalStore } from "react";
