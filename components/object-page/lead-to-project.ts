import "server-only";
import { redirect } from "next/navigation";
import { sessionData } from "@/components/queries/session/session-data";
import { EVERY_PROJECT } from "@/lib/console/every-project";
import { requireSession } from "@/lib/console/sign-in/session";

type Query = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Leads from an address without a project, which was the screen's before, to the project that the query names or the
 * person used last, with the rest of the query.
 */
export async function leadToProject(
  address: (project: string) => string,
  searchParams: Promise<Query>,
): Promise<never> {
  await requireSession();
  const { project: named, ...rest } = await searchParams;
  const project =
    typeof named === "string" ? named : ((await sessionData()).currentProjectId ?? EVERY_PROJECT);
  const entries = Object.entries(rest).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  return redirect(`${address(project)}${entries.length > 0 ? `?${new URLSearchParams(entries)}` : ""}`);
}
