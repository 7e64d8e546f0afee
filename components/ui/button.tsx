import type { ComponentProps } from "react";
import { classNames } from "./class-names";
import { Spinner } from "./spinner";

export type ButtonProps = ComponentProps<"button"> & {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Shows a spinner and ignores clicks while work is under way. Keeps the focus and the width. */
  pending?: boolean;
};

export function Button({
  variant,
  size,
  pending = false,
  type = "button",
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={pending ? "button" : type}
      data-changes={variant === "primary" || variant === "danger" || undefined}
      onClick={pending ? undefined : onClick}
      aria-busy={pending || undefined}
      aria-disabled={pending || undefined}
      className={classNames(composeButtonStyle(variant, size), className)}
    >
      <span className={classNames("inline-flex items-center gap-1.5", pending && "opacity-0")}>
        {children}
      </span>
      {pending && (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner />
        </span>
      )}
    </button>
  );
}

export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";
export type ButtonSize = "small" | "medium";

// Where the system chooses the colors, it leaves out the fill and shows the transparent border.
const variants: Record<ButtonVariant, string> = {
  primary:
    "border border-transparent bg-accent text-accent-foreground hover:bg-accent-hover active:bg-accent-hover",
  secondary: "border border-field-border bg-surface hover:bg-default active:bg-default-hover",
  ghost: "hover:bg-default active:bg-default-hover",
  danger:
    "border border-transparent bg-danger text-danger-foreground hover:bg-danger-hover active:bg-danger-hover",
};

const sizes: Record<ButtonSize, string> = {
  small: "h-7 px-2.5 text-sm pointer-coarse:h-11",
  medium: "h-8 px-3 text-base pointer-coarse:h-11",
};

/** Class names of buttons and of links that look like buttons. */
export function composeButtonStyle(
  variant: ButtonVariant = "secondary",
  size: ButtonSize = "medium",
): string {
  return classNames(
    "relative inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap select-none print:hidden",
    "transition-colors disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0",
    variants[variant],
    sizes[size],
  );
}
