import type { ComponentProps } from "react";
import { classNames } from "./class-names";
import { type ButtonSize, type ButtonVariant, composeButtonStyle } from "./compose-button-style";
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
