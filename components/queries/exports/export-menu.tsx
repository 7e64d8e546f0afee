import { Download } from "lucide-react";
import {
  asPagePerson,
  describeConsoleFailure,
  readConsoleProblem,
} from "@/components/queries/reads/fetch-read";
import { leaveForSignIn } from "@/components/session/leave-for-sign-in";
import { composeButtonStyle } from "@/components/ui/button";
import { toast } from "@/components/ui/dialog/toast";
import { Menu } from "@/components/ui/menu/menu";
import type { Problem } from "@/lib/console/gateway/problem";

type ExportMenuProps = {
  /** Returns the download's address. */
  buildHref: (form: "csv" | "ndjson") => string;
  /** A noun for one row. */
  row: string;
};

/** Downloads everything the filter matches. */
export function ExportMenu({ buildHref, row }: ExportMenuProps) {
  const download = (form: "csv" | "ndjson") => void downloadExport(buildHref(form));
  return (
    <Menu
      align="end"
      triggerClassName={composeButtonStyle()}
      trigger={
        <>
          <Download aria-hidden />
          Export
        </>
      }
      sections={[
        {
          entries: [
            { id: "csv", label: "CSV", note: "For spreadsheets", onSelect: () => download("csv") },
            {
              id: "ndjson",
              label: "NDJSON",
              note: `Every field, one ${row} a line`,
              onSelect: () => download("ndjson"),
            },
          ],
        },
      ]}
    />
  );
}

/** Downloads an export. If it is refused, says so on this page, which the browser would replace with the refusal. */
export async function downloadExport(href: string): Promise<void> {
  const problem = await findRefusal(href);
  if (problem?.code === "unauthenticated") return leaveForSignIn();
  if (problem) return void toast({ message: problem.message, tone: "bad" });
  const link = document.createElement("a");
  link.href = href;
  // Without this, the browser would ask about unsaved input, though no page is left.
  link.download = "";
  link.click();
}

/**
 * Begins the export and drops it again.
 * @returns why it is refused, or null.
 */
async function findRefusal(href: string): Promise<Problem | null> {
  const looking = new AbortController();
  try {
    const reply = await asPagePerson(() => fetch(href, { signal: looking.signal }));
    return reply.ok ? null : readConsoleProblem(await reply.text());
  } catch (error) {
    return describeConsoleFailure(error, "none");
  } finally {
    looking.abort();
  }
}
