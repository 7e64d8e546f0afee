import type { ReactNode } from "react";
import { classNames } from "./class-names";

const widths = { form: "max-w-[560px]", wide: "max-w-[1280px]", grid: "max-w-none" };

/** The column of a screen: 560 px for a form, full width for a grid, 1,280 px otherwise. */
export function Page({ width = "wide", children }: { width?: keyof typeof widths; children: ReactNode }) {
  return (
    <div
      className={classNames(
        "w-full px-4 py-5 sm:px-6 print:p-0",
        width === "grid" ? undefined : "max-w-[1328px]",
      )}
    >
      <div className={widths[width]}>{children}</div>
    </div>
  );
}
