import type { ComponentProps } from "react";
import { type ButtonSize, type ButtonVariant, composeButtonStyle } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { ConsoleLink } from "./console-link";

type LinkButtonProps = ComponentProps<typeof ConsoleLink> & { variant?: ButtonVariant; size?: ButtonSize };

/** A link that looks like a button. Use `Button` for an action. */
export function LinkButton({ variant, size, className, ...rest }: LinkButtonProps) {
  return <ConsoleLink {...rest} className={classNames(composeButtonStyle(variant, size), className)} />;
}
