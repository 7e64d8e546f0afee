import type { ReactNode } from "react";
import { Page, PageHead } from "@/components/ui/page";
import { UnsupportedState } from "@/components/ui/states/refused-state";

/** What a page says if the gateway has only the specification's operations. */
export type Unsupported = {
  /** The head of the page; without one, the sentence that says so is the head. */
  title?: string;
  /** What the person wants to do: "list statements". */
  to: string;
  /** The operation that it needs: "GET /organization/statements". */
  endpoint?: string;
  /** What the person can do instead. */
  instead?: string;
  action?: ReactNode;
};

export function UnsupportedPage({ title, to, endpoint, instead, action }: Unsupported) {
  return (
    <Page>
      {title !== undefined && <PageHead title={title} />}
      <UnsupportedState
        level={title === undefined ? 1 : 2}
        operation={to}
        action={action}
        {...(endpoint !== undefined && { endpoint })}
      >
        {instead}
      </UnsupportedState>
    </Page>
  );
}
