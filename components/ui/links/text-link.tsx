import type { ComponentProps } from "react";
import { classNames } from "../class-names";
import { ConsoleLink } from "./console-link";

export function TextLink({ className, ...rest }: ComponentProps<typeof ConsoleLink>) {
  return (
    <ConsoleLink
      {...rest}
      className={classNames("rounded-sm text-accent-text underline-offset-2 hover:underline", className)}
    />
  );
}
