import { type AnchorHTMLAttributes, type ComponentType, createContext, type ReactNode, useContext } from "react";

export interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
}

const LinkComponent = createContext<ComponentType<LinkProps> | "a">("a");

export interface LinkProviderProps {
  /** The router's link; every primitive with an `href` renders it. */
  component: ComponentType<LinkProps>;
  children: ReactNode;
}

export function LinkProvider({ component, children }: LinkProviderProps) {
  return <LinkComponent value={component}>{children}</LinkComponent>;
}

/** An address of this site goes through the router's link; anything else, and downloads, is a plain anchor. */
export function Link(props: LinkProps) {
  const Component = useContext(LinkComponent);
  const inside = /^\/(?!\/)/.test(props.href) && !props.download && !props.target;
  return inside ? <Component {...props} /> : <a {...props} />;
}
