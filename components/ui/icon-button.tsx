"use client";

import type { ComponentProps, ReactNode } from "react";
import type { Side } from "./browser/place-beside";
import { classNames } from "./class-names";
import { Spinner } from "./spinner";
import { Tooltip } from "./tooltip";

type IconButtonProps = Omit<ComponentProps<"button">, "children"> & {
  /** The accessible name and tooltip: a verb and its object. */
  label: string;
  icon: ReactNode;
  size?: "small" | "medium";
  pending?: boolean;
  tooltipSide?: Side;
};

export function IconButton({
  label,
  icon,
  size = "medium",
  pending = false,
  tooltipSide,
  className,
  onClick,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip content={label} repeatsName {...(tooltipSide && { side: tooltipSide })}>
      <button
        type="button"
        {...rest}
        onClick={pending ? undefined : onClick}
        aria-label={label}
        aria-busy={pending || undefined}
        aria-disabled={pending || undefined}
        className={classNames(
          "inline-grid shrink-0 place-items-center rounded-md print:hidden text-muted transition-colors hover:bg-default hover:text-foreground disabled:opacity-50",
          "pointer-coarse:size-11 [&_svg]:size-4",
          size === "small" ? "size-6" : "size-8",
          className,
        )}
      >
        {pending ? <Spinner /> : icon}
      </button>
    </Tooltip>
  );
}
