"use client";

import "./globals.css";

type GlobalErrorProps = { retry: () => void };

/** Replaces the whole document, so it uses nothing that may have failed: no theme, no font, no provider. */
export default function GlobalError({ retry }: GlobalErrorProps) {
  return (
    <html lang="en">
      <body>
        <title>Gatehouse could not be shown</title>
        <main className="mx-auto grid max-w-[480px] justify-items-start gap-4 px-6 py-24">
          <h1 className="text-xl font-semibold">The console could not be shown</h1>
          <p className="text-muted">
            Nothing was changed. Try again; if it keeps failing, see the console’s log.
          </p>
          <button
            type="button"
            onClick={retry}
            className="h-8 rounded-md bg-accent px-3 font-medium text-accent-foreground"
          >
            Try again
          </button>
        </main>
      </body>
    </html>
  );
}
