import type { ReactNode } from "react";

type FormFooterProps = {
  /** What became of the form, announced to screen readers: "2 unsaved changes", "Saved". */
  status?: ReactNode;
  /** The buttons. */
  children: ReactNode;
};

/** The end of a form that fills a screen. Sticks to the bottom of the window. */
export function FormFooter({ status, children }: FormFooterProps) {
  return (
    <div className="sticky bottom-0 z-10 -mx-1 flex min-h-14 flex-wrap items-center justify-end gap-2 border-t bg-background px-1 py-3">
      <span role="status" className="mr-auto">
        {status}
      </span>
      {children}
    </div>
  );
}
