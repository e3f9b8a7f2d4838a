import { type AnchorHTMLAttributes, type ComponentType, createContext, type ReactNode, useContext } from "react";

export interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
}

const LinkComponent = createContext<ComponentType<LinkProps> | "a">("a");

export interface LinkProviderProps {
  /** The router's link component; every primitive with an `href` renders it. */
  component: ComponentType<LinkProps>;
  children: ReactNode;
}

export function LinkProvider({ component, children }: LinkProviderProps) {
  return <LinkComponent value={component}>{children}</LinkComponent>;
}

/** Uses the router's link for paths of this site, and a plain anchor for other URLs, downloads and links with a target. */
export function Link(props: LinkProps) {
  const Component = useContext(LinkComponent);
  const isInternal = /^\/(?!\/)/.test(props.href) && !props.download && !props.target;
  return isInternal ? <Component {...props} /> : <a {...props} />;
}
