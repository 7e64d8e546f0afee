"use client";

import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/error-state";
import { Page } from "@/components/ui/page";

type ErrorPageProps = { error: unknown; retry: () => void };

export default function ErrorPage({ error, retry }: ErrorPageProps) {
  return (
    <Page>
      <ErrorState
        title="This screen could not be shown"
        requestId={digestOf(error)}
        action={
          <Button variant="primary" onClick={retry}>
            Try again
          </Button>
        }
      >
        Nothing was changed by this. Try again; if it stays, give the id below to whoever runs this console.
      </ErrorState>
    </Page>
  );
}

/** The id under which the server logged the error. */
function digestOf(error: unknown): string | undefined {
  return error instanceof Error && "digest" in error && typeof error.digest === "string"
    ? error.digest
    : undefined;
}
