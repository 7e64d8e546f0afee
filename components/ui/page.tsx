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

type PageHeadProps = {
  title: ReactNode;
  /** One sentence on what the screen is for. */
  sentence?: ReactNode;
  /** The single primary action. */
  action?: ReactNode;
  /** Shown next to the title: a badge, a status or an id. */
  beside?: ReactNode;
};

export function PageHead({ title, sentence, action, beside }: PageHeadProps) {
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      {/* A long sentence wraps beside the actions, instead of pushing them below it. */}
      <div className="min-w-0 flex-[1_1_24rem]">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 text-xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
          {beside}
        </div>
        {sentence && <p className="mt-1 max-w-3xl text-pretty wrap-anywhere text-muted">{sentence}</p>}
      </div>
      {action && <div className="flex max-w-full flex-wrap items-center gap-2">{action}</div>}
    </header>
  );
}
