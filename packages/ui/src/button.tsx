import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import css from "./button.module.css";
import { classes } from "./classes.ts";
import { Icon, type IconName } from "./icon.tsx";
import { Link } from "./link.tsx";

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children"> {
  /** At most one primary button per screen; quiet is a text button; danger is for destructive actions. */
  variant?: "primary" | "secondary" | "quiet" | "danger";
  /** Work is in progress: the button keeps its width and focus, but ignores presses. */
  busy?: boolean;
  full?: boolean;
  icon?: IconName;
  /** Renders a link that looks like a button. */
  href?: string;
  ref?: Ref<HTMLButtonElement>;
  label: ReactNode;
}

export function Button(props: ButtonProps) {
  const { variant = "secondary", busy, full, icon, href, className, label, type = "button", onClick, ...rest } = props;
  const buttonClass = classes("film", css.button, css[variant], full && "full-width", busy && css.busy, className);
  const content = (
    <>
      {icon && <Icon name={icon} size={20} />}
      <span className={css.label}>{label}</span>
      {busy && <span className={css.dots} aria-hidden="true" />}
    </>
  );
  if (href !== undefined) {
    return (
      <Link href={href} className={buttonClass} id={rest.id} aria-label={rest["aria-label"]}>
        {content}
      </Link>
    );
  }
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {content}
    </button>
  );
}
