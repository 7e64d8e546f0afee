import type { ComponentProps } from "react";
import { classNames } from "../class-names";
import { type ButtonSize, type ButtonVariant, composeButtonStyle } from "../compose-button-style";
import { ConsoleLink } from "./console-link";

type LinkButtonProps = ComponentProps<typeof ConsoleLink> & { variant?: ButtonVariant; size?: ButtonSize };

/** A link that looks like a button. Use `Button` for an action. */
export function LinkButton({ variant, size, className, ...rest }: LinkButtonProps) {
  return <ConsoleLink {...rest} className={classNames(composeButtonStyle(variant, size), className)} />;
}
