import type { ReactNode } from "react";
import css from "./banner.module.css";
import { Icon, type IconName } from "./icon.tsx";

export interface BannerProps {
  tone?: "info" | "success" | "warn" | "danger";
  children: ReactNode;
  /** A button or a link. */
  action?: ReactNode;
  /** Announces the banner when it appears: "status" for information, "alert" for something that must not be missed. */
  role?: "status" | "alert";
}

const ICONS: Record<NonNullable<BannerProps["tone"]>, IconName> = {
  info: "info",
  success: "check",
  warn: "warning",
  danger: "warning",
};

export function Banner({ tone = "info", children, action, role }: BannerProps) {
  const color = tone === "info" ? "accent" : tone;
  return (
    <div className={`row wrap ${color} ${css.banner}`} role={role}>
      <Icon name={ICONS[tone]} size={22} />
      <div className={css.text}>{children}</div>
      {action && <div className="flex-none">{action}</div>}
    </div>
  );
}

/** What went wrong, announced as soon as there is a text. */
export const Problem = ({ text, ...rest }: Pick<BannerProps, "tone" | "action"> & { text: ReactNode }) =>
  text ? (
    <Banner tone="danger" role="alert" {...rest}>
      {text}
    </Banner>
  ) : null;
