"use client";

import { Button } from "@/components/ui/button";
import { Page } from "@/components/ui/page";
import { ErrorState } from "@/components/ui/states/state-panel";

export type ScreenErrorProps = { error: unknown; retry: () => void };

/** Replaces a screen that failed. */
export function ScreenError({ error, retry }: ScreenErrorProps) {
  return (
    <Page>
      <ErrorState
        level={1}
        title="This screen could not be shown"
        errorId={readDigest(error)}
        action={
          <Button variant="primary" onClick={retry}>
            Try again
          </Button>
        }
      >
        Nothing was changed. Try again; if it keeps failing, tell whoever runs this console.
      </ErrorState>
    </Page>
  );
}

/** Returns the id under which the server logged the error. */
function readDigest(error: unknown): string | undefined {
  return error instanceof Error && "digest" in error && typeof error.digest === "string"
    ? error.digest
    : undefined;
}
