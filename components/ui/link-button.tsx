import type { ComponentProps } from "react";
import { type ButtonSize, type ButtonVariant, buttonStyle } from "./button-style";
import { classNames } from "./class-names";
import { ConsoleLink } from "./console-link";

type LinkButtonProps = ComponentProps<typeof ConsoleLink> & { variant?: ButtonVariant; size?: ButtonSize };

/** A link that looks like a button. Use `Button` for an action. */
export function LinkButton({ variant, size, className, ...rest }: LinkButtonProps) {
  return <ConsoleLink {...rest} className={classNames(buttonStyle(variant, size), className)} />;
}
